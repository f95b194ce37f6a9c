#!lua flags=allow-oom
-- purpose: Looks whether an agent is in a ring of agents that wait for each other, and breaks it if asked to.
-- guarantee: Nothing that is held is taken away; a ring is what it is at one moment, so there are no false victims.
-- keys: none
-- reaches:
--   registry     ade.lock_registry
--   events       ade.events
--   state      quorate.lock_state
--   order      quorate.lock_order
--   waiters    quorate.lock_waiters
--   holds      quorate.lock_holds
--   waits      quorate.lock_waits
--   record_of  quorate.agent
--   capacity_of  ade.agent_capacity
--   index_of   ade.locks_by_agent
--   by_type    ade.locks_by_resource_type
--   mirror     ade.lock_queue
--   waitfor    ade.wait_for
--   channel    ade.lock_channel
--   wakes      quorate.wake
-- args:
--   agent   text     from whom to look
--   commit  integer  1 to break the ring
-- returns: { "none" } | { "long" } | { "ring", edge… }
-- writes: 29
-- use: now, digits, iso, load, waiter, compatible, living, foreign, show, tell, tasks, forget, seize, asking, hears, settle, blockers, give_way, cycle
-- layout: plain-only, tagged counterpart sweep_tagged

local us, ms = now()
local path, long = find_cycle(agent, ms)
if not path then
  return { long and 'long' or 'none' }
end
local answer = { 'ring' }
for _, edge in ipairs(path) do
  answer[#answer + 1] = edge_text(edge)
end
if commit == 1 then
  break_cycles(agent, us, ms)
end
return answer
