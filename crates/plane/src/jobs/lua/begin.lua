#!lua
-- purpose: Lets one worker run an occurrence.
-- guarantee: While the job's lock lasts no other worker is let in.
-- keys:
--   runs  quorate.job_runs
--   lock  ade.job_lock
-- args:
--   planned     text     which occurrence
--   worker      text     who runs it
--   timeout_ms  integer  for how long the lock lasts
-- returns: { "started" } | { "refused", reason, … }
-- writes: 2
-- use: now, digits, guard_type
-- layout: plain-only, tagged counterpart begin_tagged

local refusal = guard_type(runs, 'hash') or guard_type(lock, 'string')
if refusal then
  return refusal
end
local _, ms = now()
local state, _, by = (redis.call('HGET', runs, planned) or ''):match('^(%S+) (%d+) ?(.*)$')
if not state then
  return { 'refused', 'no_job' }
end
local holder = redis.call('GET', lock)
if holder and not (holder == worker and state == 'started' and by == worker) then
  return { 'refused', 'held', holder }
end
if state ~= 'queued' and state ~= 'started' then
  return { 'refused', 'job_over', state }
end
redis.call('SET', lock, worker, 'PX', timeout_ms)
redis.call('HSET', runs, planned, 'started ' .. digits(ms) .. ' ' .. worker)
return { 'started' }
