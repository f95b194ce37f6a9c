#!lua flags=allow-oom
-- purpose: Asks an agent to finish what it has and take nothing new.
-- guarantee: From then on every new lock of it is refused; what it holds it may renew and release.
-- keys:
--   record    quorate.agent
--   capacity  ade.agent_capacity
-- args:
--   reason  text  shown to the agent
-- returns: { "draining", epoch } | { "refused", reason, … }
-- writes: 2
-- use: now, guard_type, admit
-- layout: any

local refusal = guard_type(capacity, 'hash')
if refusal then
  return refusal
end
local _, ms = now()
local refused, current = admit(record, '', ms)
if refused then
  return refused
end
redis.call('HSET', record, 'drain', reason) -- drains: one field of a record that is there
if redis.call('EXISTS', capacity) == 1 then
  redis.call('HSET', capacity, 'status', 'draining') -- drains: it replaces a value
end
return { 'draining', current }
