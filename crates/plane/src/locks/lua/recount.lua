#!lua flags=allow-oom
-- purpose: Compares what the capacity of an agent says with what it states, has and waits for, and writes it again if asked to.
-- guarantee: It is one moment of the agent; what another client wrote for an agent that stated no capacity here stays as it is.
-- keys:
--   record       quorate.agent
-- reaches:
--   holds        quorate.lock_holds
--   waits        quorate.lock_waits
--   capacity_of  ade.agent_capacity
-- args:
--   agent   text     whose
--   commit  integer  1 to write it again
-- returns: { "counted", fault… } | { "refused", reason, … }
-- writes: 2
-- use: now, guard_type, tasks
-- layout: plain-only, tagged counterpart recount_tagged

local refusal = guard_type(record, 'hash') or guard_type(capacity_of(agent), 'hash')
if refusal then
  return refusal
end
local _, ms = now()
local known = redis.call('HMGET', record, 'max_tasks', 'lease_until')
-- Who is past its lease is looked after by whoever passes on what it has.
if not known[1] or (tonumber(known[2]) or 0) <= ms then
  return { 'counted' }
end
local answer, said = { 'counted' }, redis.call('HMGET', capacity_of(agent), 'max_tasks', 'active_tasks', 'queued_tasks')
local function compare(what, told, least, most)
  local number = tonumber(told)
  if not number or number < least or number > most then
    answer[#answer + 1] = 'it says ' .. (told or 'nothing') .. ' of ' .. what .. ', and that is ' .. least
  end
end
-- What has lapsed is counted until somebody has come for it.
local active, wanted = tasks_of(agent, ms), asked_of(agent)
compare('max_tasks', said[1], tonumber(known[1]), tonumber(known[1]))
compare('active_tasks', said[2], active, math.max(active, tasks_of(agent, 0)))
compare('queued_tasks', said[3], wanted, wanted)
if commit == 1 and answer[2] then
  redis.call('HSET', capacity_of(agent), 'max_tasks', known[1], 'active_tasks', active, 'queued_tasks', wanted) -- drains: it replaces values
end
return answer
