#!lua flags=allow-oom
-- purpose: Keeps the turn at gathering and sending notices, or gives it back.
-- guarantee: Only for whoever has it: a turn that took too long and passed on is neither kept nor given back. It is not kept
--   for what could not be marked afterwards: that would be sent again and again.
-- keys:
--   lock  relayna.notice_lock
-- keys-rest: marks relayna.notice_sent   of each failure that is about to be sent
-- args:
--   token   text     who has it
--   ttl_ms  integer  for how long from now; 0 gives it back
-- returns: { "kept" | "released" } | { "refused", reason, … }
-- writes: 2
-- use: guard_type
-- layout: plain-only, tagged counterpart hold_tagged

local refusal = guard_type(lock, 'string')
for _, mark in ipairs(marks) do
  refusal = refusal or guard_type(mark, 'string')
end
if refusal then
  return refusal
end
if redis.call('GET', lock) ~= token then
  return { 'refused', 'passed_on' }
end
if ttl_ms == 0 then
  redis.call('DEL', lock)
  return { 'released' }
end
redis.call('PEXPIRE', lock, ttl_ms)
return { 'kept' }
