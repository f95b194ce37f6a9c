#!lua
-- purpose: Leases a task to a worker.
-- guarantee: A task has one lease; a later one has a larger token.
-- keys:
--   lease  quorate.task_lease
--   due    quorate.task_leases
-- args:
--   task     text     the task
--   owner    text     who works on it
--   ttl_ms   integer  for how long
--   action   text     what is done when it lapses
--   queue    text     where the work is put again
--   payload  text     the work
--   attempt  integer  which attempt it is
--   most     integer  how many attempts may follow the first
-- returns: { "leased", token, until } | { "refused", reason, detail }
-- writes: 3
-- use: now, guard_type
-- layout: plain-only, tagged counterpart lease_tagged

local refusal = guard_type(lease, 'hash') or guard_type(due, 'zset')
if refusal then
  return refusal
end
local us, ms = now()
local known = redis.call('HMGET', lease, 'owner', 'until', 'token')
if known[1] and tonumber(known[2]) > ms then
  return { 'refused', 'leased', known[1] }
end
local token = string.format('%.0f', math.max(us, (tonumber(known[3]) or 0) + 1))
local ends = string.format('%.0f', ms + ttl_ms)
redis.call('DEL', lease)
redis.call('HSET', lease, 'owner', owner, 'token', token, 'until', ends, 'action', action, 'queue', queue, 'payload', payload,
  'attempt', attempt, 'max_retries', most)
redis.call('ZADD', due, ends, task)
return { 'leased', token, ends }
