#!lua flags=allow-oom
-- purpose: Renews a lease, or gives it back.
-- guarantee: Only for its owner, with its token. One that has lapsed is not renewed; it may still be given back until somebody
--   has begun its recovery, so that work that was done is not done again.
-- keys:
--   lease  quorate.task_lease
--   due    quorate.task_leases
-- args:
--   task    text     the task
--   owner   text     who works on it
--   token   text     what it was given
--   ttl_ms  integer  for how long from now; 0 gives it back
-- returns: { "kept", until } | { "released" } | { "refused", reason, detail }
-- writes: 4
-- use: now, guard_type
-- layout: plain-only, tagged counterpart keep_tagged

local refusal = guard_type(lease, 'hash') or guard_type(due, 'zset')
if refusal then
  return refusal
end
local _, ms = now()
local known = redis.call('HMGET', lease, 'owner', 'token', 'until', 'recoveries')
local lapsed = known[3] and tonumber(known[3]) <= ms
if known[1] ~= owner or known[2] ~= token or known[4] or (lapsed and ttl_ms > 0) then
  return { 'refused', 'no_lease', known[1] or 'nobody' }
end
if ttl_ms == 0 then
  redis.call('DEL', lease)
  redis.call('ZREM', due, task)
  return { 'released' }
end
local ends = string.format('%.0f', ms + ttl_ms)
redis.call('HSET', lease, 'until', ends) -- drains: the field is there
redis.call('ZADD', due, ends, task) -- drains: the member is there
return { 'kept', ends }
