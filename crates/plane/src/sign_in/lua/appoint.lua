#!lua
-- purpose: Gives somebody another role, or none.
-- guarantee: Every session of theirs has it from the next check on; without one, no code from before lets them in.
-- keys:
--   account  quorate.account
-- args:
--   role  text  the role, or empty for none
-- returns: { "appointed", the role before, or "" } | { "refused", reason, … }
-- writes: 5
-- use: now, digits, guard_type
-- layout: any

local refusal = guard_type(account, 'hash')
if refusal then
  return refusal
end
local us = now()
local before = redis.call('HGET', account, 'role') or ''
if role == '' then
  redis.call('HDEL', account, 'role')
  redis.call('HSET', account, 'cut_at', digits(us))
  -- As long as the longest code; then nothing from before is left.
  redis.call('PEXPIRE', account, 604800000)
else
  redis.call('HSET', account, 'role', role, 'changed_at', digits(us))
  redis.call('PERSIST', account)
end
return { 'appointed', before }
