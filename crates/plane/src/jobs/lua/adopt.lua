#!lua
-- purpose: Puts a job of another client that is due into its queue.
-- guarantee: Never early, and once: it leaves the schedule in the step that queues it.
-- keys:
--   scheduled  ade.scheduled_jobs
--   queue      ade.job_queue
-- args:
--   member   text  the job as its client wrote it
--   id       text  what its item is called
--   payload  json  the same as a JSON text
-- returns: { "queued" } | { "gone" } | { "early" } | { "refused", reason, … }
-- writes: 2
-- use: now, digits, guard_type
-- layout: plain-only, tagged counterpart adopt_tagged

local refusal = guard_type(scheduled, 'zset') or guard_type(queue, 'list')
if refusal then
  return refusal
end
local _, ms = now()
local at = tonumber(redis.call('ZSCORE', scheduled, member) or 'x')
if not at then
  return { 'gone' }
end
if at * 1000 > ms then
  return { 'early' }
end
redis.call('ZREM', scheduled, member)
redis.call('LPUSH', queue, '{"at":' .. digits(ms) .. ',"id":"' .. id .. '","payload":' .. payload .. '}')
return { 'queued' }
