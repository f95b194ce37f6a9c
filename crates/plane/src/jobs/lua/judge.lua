#!lua
-- purpose: Says whether an active job is in the schedule and an ended one in its list, and puts it there if asked to.
-- guarantee: What is where it belongs is left as it is.
-- keys:
--   scheduled  ade.scheduled_jobs
--   record     quorate.job
--   ended      quorate.ended_jobs
-- args:
--   job     text     which
--   commit  integer  1 to put it right
-- returns: { "judged", "" | "lost" | "unlisted" } | { "refused", reason, … }
-- writes: 3
-- use: now, guard_type, retire
-- layout: plain-only, tagged counterpart judge_tagged

local refusal = guard_type(scheduled, 'zset') or guard_type(record, 'hash') or guard_type(ended, 'zset')
if refusal then
  return refusal
end
local known = redis.call('HMGET', record, 'state', 'member', 'next_at')
local active = known[1] == 'active'
local listed = active and redis.call('ZSCORE', scheduled, known[2]) or not active and redis.call('ZSCORE', ended, job)
if not known[1] or listed then
  return { 'judged', '' }
end
if commit == 1 and active then
  redis.call('ZADD', scheduled, string.format('%.3f', tonumber(known[3]) / 1000), known[2])
elseif commit == 1 then
  local _, ms = now()
  retire(job, ms)
end
return { 'judged', active and 'lost' or 'unlisted' }
