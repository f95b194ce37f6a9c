#!lua
-- purpose: Schedules a job.
-- guarantee: Two jobs are never one, however equal they are; a repeated call schedules once.
-- keys:
--   scheduled  ade.scheduled_jobs
--   record     quorate.job
--   ended      quorate.ended_jobs
-- args:
--   request   request  the id of the call
--   at        integer  when, in Unix milliseconds; 0 to count from now
--   delay_ms  integer  how long from now
--   job       text     which
--   member    json     how ade's readers see it
-- rest: fields
-- returns: { "scheduled", when } | { "refused", reason, … }
-- writes: 4
-- use: now, digits, guard_type
-- layout: plain-only, tagged counterpart schedule_tagged

local refusal = guard_type(scheduled, 'zset') or guard_type(record, 'hash') or guard_type(ended, 'zset')
if refusal then
  return refusal
end
local known = redis.call('HMGET', record, 'request', 'next_at', 'state')
if known[1] == request then
  return { 'scheduled', known[2] }
end
if known[3] == 'active' then
  return { 'refused', 'job_exists', known[2] }
end
local _, ms = now()
local when = at > 0 and at or ms + delay_ms
redis.call('DEL', record)
redis.call('HSET', record, 'request', request, 'next_at', digits(when), 'state', 'active', 'n', 0, 'member', member,
  'created_at', digits(ms), unpack(fields))
redis.call('ZADD', scheduled, string.format('%.3f', when / 1000), member)
redis.call('ZREM', ended, job)
return { 'scheduled', digits(when) }
