#!lua flags=allow-oom
-- purpose: Looks again at a ring that a long walk has found, and breaks it if it is still one.
-- guarantee: Every edge that it is given is looked at in this one moment; nothing that is held is taken away.
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
-- args:
--   ends    integer  when the first of the waits and holds ends by itself, in ms
--   victim  text     the request that gives way, or empty to look only
--   ring    text     what it is told, a line for each wait
-- rest: edges
-- returns: { "broken" } | { "stands" } | { "gone" }
-- writes: 29
-- use: now, digits, iso, load, waiter, compatible, living, foreign, show, tell, tasks, forget, seize, asking, hears, settle, blockers, give_way
-- layout: plain-only, tagged counterpart sever_tagged

-- Further arguments are, for each wait: agent, epoch, lock, request, the holder in the way, and the fence of its hold.
local us, ms = now()
-- Whoever has all of a lock is in everybody's way, and its fence names its hold: most records need not be read as a whole.
local function in_the_way(ref, request, holder, fence)
  local text = redis.call('GET', state(ref)) or 'f 0 - 0 -'
  local last, key = text:match('^[hq] (%d+) (%S+) %d+ %S+ x ')
  if last == fence then
    return shown(ref, { a = holder, k = key }, {})
  end
  local waiter = read_waiter(redis.call('HGET', waiters(ref), request))
  for _, hold in ipairs(waiter and not waiter.v and blockers(ref, load(ref, ms, text), request, waiter, ms) or {}) do
    if hold.a == holder and digits(hold.f) == fence then
      return true
    end
  end
end
local chosen
for place = 1, #edges, 6 do
  local agent, epoch, ref, request = edges[place], edges[place + 1], edges[place + 2], edges[place + 3]
  if ms >= ends or redis.call('HGET', waits(agent), request) ~= ref or not living(agent, epoch, ms)
    or not in_the_way(ref, request, edges[place + 4], edges[place + 5]) then
    return { 'gone' }
  end
  chosen = request == victim and { a = agent, ref = ref, r = request } or chosen
end
if not chosen then
  return { 'stands' }
end
chosen.w = read_waiter(redis.call('HGET', waiters(chosen.ref), victim))
if not chosen.w or chosen.w.v then
  return { 'gone' }
end
local names = {}
for name in ring:gmatch('[^\n]+') do
  names[#names + 1] = name
end
fail(chosen, names, us, ms)
return { 'broken' }
