#!lua flags=allow-oom
-- purpose: Lifts a ban, so that the agent may register again.
-- guarantee: The revoked incarnation stays refused; the record expires again as every other does.
-- keys:
--   record  quorate.agent
-- args: none
-- returns: { "lifted", 1 if there was a ban } | { "refused", reason, … }
-- writes: 2
-- use: guard_type
-- layout: any

local refusal = guard_type(record, 'hash')
if refusal then
  return refusal
end
if redis.call('EXISTS', record) == 0 then
  return { 'refused', 'unregistered' }
end
local was = redis.call('HDEL', record, 'banned')
redis.call('PEXPIRE', record, 604800000)
return { 'lifted', was }
