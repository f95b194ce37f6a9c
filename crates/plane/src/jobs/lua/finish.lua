#!lua flags=allow-oom
-- purpose: Notes how an occurrence ended, and gives its lock back.
-- guarantee: Only the worker that was let in last can say so; a lock that is somebody else's stays.
-- keys:
--   runs  quorate.job_runs
--   lock  ade.job_lock
-- args:
--   planned  text  which occurrence
--   worker   text  who ran it
--   state    text  done or failed
--   detail   text  what to say of it, or empty
-- returns: { "finished" } | { "refused", reason, … }
-- writes: 2
-- use: now, digits, guard_type
-- layout: plain-only, tagged counterpart finish_tagged

local refusal = guard_type(runs, 'hash') or guard_type(lock, 'string')
if refusal then
  return refusal
end
local _, ms = now()
local text = redis.call('HGET', runs, planned) or ''
local before, by = text:match('^(%S+) %d+ ?(%S*)')
if before == state and by == worker then
  return { 'finished' }
end
if before ~= 'started' or by ~= worker then
  return { 'refused', before and 'job_over' or 'no_job', before or '' }
end
if redis.call('GET', lock) == worker then
  redis.call('DEL', lock)
end
redis.call('HSET', runs, planned, state .. ' ' .. digits(ms) .. ' ' .. worker .. (detail ~= '' and ' ' .. detail or '')) -- drains: it replaces a value
return { 'finished' }
