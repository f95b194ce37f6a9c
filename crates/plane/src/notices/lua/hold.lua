#!lua flags=allow-oom
-- purpose: Keeps the turn at gathering and sending notices, or gives it back.
-- guarantee: Only for whoever has it: a turn that took too long and passed on is neither kept nor given back.
-- keys:
--   lock  relayna.notice_lock
-- args:
--   token   text     who has it
--   ttl_ms  integer  for how long from now; 0 gives it back
-- returns: { "kept" | "released" } | { "refused", reason, … }
-- writes: 2
-- use: guard_type
-- layout: any

local refusal = guard_type(lock, 'string')
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
