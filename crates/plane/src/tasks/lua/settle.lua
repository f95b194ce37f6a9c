#!lua flags=allow-oom
-- purpose: Ends the recovery of a lease.
-- guarantee: A lease that somebody has taken meanwhile is left alone.
-- keys:
--   lease  quorate.task_lease
--   due    quorate.task_leases
-- args:
--   task   text  the task
--   token  text  the token of the lease that lapsed
-- returns: { "settled" } | { "gone" } | { "refused", reason, detail }
-- writes: 2
-- use: guard_type
-- layout: plain-only, tagged counterpart settle_tagged

local refusal = guard_type(lease, 'hash') or guard_type(due, 'zset')
if refusal then
  return refusal
end
if redis.call('HGET', lease, 'token') ~= token then
  return { 'gone' }
end
redis.call('DEL', lease)
redis.call('ZREM', due, task)
return { 'settled' }
