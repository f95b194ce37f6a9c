#!lua flags=allow-oom
-- purpose: Asks an agent to finish what it has and take nothing new.
-- guarantee: From then on every new lock of it is refused; what it holds it may renew and release.
-- keys:
--   record    quorate.agent
--   capacity  ade.agent_capacity
--   answers   quorate.answers
-- args:
--   request  request  the id of the call
--   epoch    text     the incarnation that is meant, or empty for the current one
--   reason   text     shown to the agent
-- returns: { "draining", epoch } | { "refused", reason, … }
-- writes: 5
-- use: now, guard_type, answers, admit
-- layout: any

local refusal = guard_type(record, 'hash') or guard_type(capacity, 'hash') or guard_type(answers, 'hash')
if refusal then
  return refusal
end
local again = recall(answers, request)
if again then
  return again
end
local _, ms = now()
local refused, current = admit(record, epoch, ms)
if refused then
  return refused
end
redis.call('HSET', record, 'drain', reason) -- drains: one field of a record that is there
if redis.call('EXISTS', capacity) == 1 then
  redis.call('HSET', capacity, 'status', 'draining') -- drains: it replaces a value
end
return remember(answers, request, { 'draining', current }, 64, 600000)
