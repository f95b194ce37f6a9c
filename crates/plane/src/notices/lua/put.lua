#!lua
-- purpose: Replaces what the next notice will tell of.
-- guarantee: Only for whoever has the turn, and only if it is as that one has read it.
-- keys:
--   lock     relayna.notice_lock
--   pending  relayna.notice_pending
-- args:
--   token  text  who has the turn
--   old    json  what it was, or empty for nothing
--   new    json  what it becomes
-- returns: { "put" } | { "refused", reason, … }
-- writes: 1
-- use: guard_type
-- layout: plain-only, tagged counterpart put_tagged

local refusal = guard_type(lock, 'string') or guard_type(pending, 'string')
if refusal then
  return refusal
end
if redis.call('GET', lock) ~= token or (redis.call('GET', pending) or '') ~= old then
  return { 'refused', 'passed_on' }
end
redis.call('SET', pending, new)
return { 'put' }
