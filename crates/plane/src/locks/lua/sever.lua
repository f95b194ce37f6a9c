#!lua flags=allow-oom
-- purpose: Breaks a ring that a long walk has found, if it is still one.
-- guarantee: Every edge is looked at again in this one moment, so there are no false victims; nothing that is held is taken away.
-- keys: none
-- reaches:
--   registry     ade.lock_registry
--   events       ade.events
--   state        quorate.lock_state
--   order        quorate.lock_order
--   waiters      quorate.lock_waiters
--   holds        quorate.lock_holds
--   waits        quorate.lock_waits
--   record_of    quorate.agent
--   capacity_of  ade.agent_capacity
--   index_of     ade.locks_by_agent
--   by_type      ade.locks_by_resource_type
--   mirror       ade.lock_queue
--   waitfor      ade.wait_for
--   channel      ade.lock_channel
--   wakes        quorate.wake
-- args: none
-- rest: edges
-- returns: { "broken" } | { "gone" }
-- writes: 27
-- use: now, digits, iso, load, waiter, compatible, living, foreign, show, tell, tasks, forget, seize, asking, settle, blockers, give_way
-- layout: plain-only, tagged counterpart sever_tagged

-- Further arguments are triples: agent, lock, request. Each agent is in the way of the one before it.
local us, ms = now()
local path = {}
for place = 1, #edges, 3 do
  local agent, ref, request = edges[place], edges[place + 1], edges[place + 2]
  local waiter = read_waiter(redis.call('HGET', waiters(ref), request))
  local next, stands = edges[place + 3] or edges[1], false
  if waiter and not waiter.v and waiter.a == agent and waiter.d > ms then
    for _, holder in ipairs(blockers(ref, load(ref, ms), request, waiter)) do
      stands = stands or holder == next
    end
  end
  if not stands then
    return { 'gone' }
  end
  path[#path + 1] = { a = agent, ref = ref, r = request, w = waiter }
end
give_way(path, us, ms)
return { 'broken' }
