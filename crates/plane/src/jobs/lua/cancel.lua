#!lua flags=allow-oom
-- purpose: Takes a job out of the schedule.
-- guarantee: Nothing of it is queued from then on.
-- keys:
--   scheduled  ade.scheduled_jobs
--   record     quorate.job
--   ended      quorate.ended_jobs
-- args:
--   job  text  which
-- returns: { "cancelled" } | { "refused", reason, … }
-- writes: 5
-- use: now, guard_type, retire
-- layout: plain-only, tagged counterpart cancel_tagged

local refusal = guard_type(scheduled, 'zset') or guard_type(record, 'hash') or guard_type(ended, 'zset')
if refusal then
  return refusal
end
local known = redis.call('HMGET', record, 'state', 'member')
if not known[1] then
  return { 'refused', 'no_job' }
end
redis.call('ZREM', scheduled, known[2])
if known[1] == 'active' then
  redis.call('HSET', record, 'state', 'cancelled') -- drains: it replaces a value
  redis.call('PEXPIRE', record, 2592000000)
  local _, ms = now()
  retire(job, ms)
end
return { 'cancelled' }
