#!lua
-- purpose: Says whether an active job is in the schedule, and puts it there if asked to.
-- guarantee: A job that is not active is left as it is.
-- keys:
--   scheduled  ade.scheduled_jobs
--   record     quorate.job
-- args:
--   commit  integer  1 to put it right
-- returns: { "judged", "" | "lost" } | { "refused", reason, … }
-- writes: 1
-- use: guard_type
-- layout: plain-only, tagged counterpart judge_tagged

local refusal = guard_type(scheduled, 'zset') or guard_type(record, 'hash')
if refusal then
  return refusal
end
local known = redis.call('HMGET', record, 'state', 'member', 'next_at')
if known[1] ~= 'active' or redis.call('ZSCORE', scheduled, known[2]) then
  return { 'judged', '' }
end
if commit == 1 then
  redis.call('ZADD', scheduled, string.format('%.3f', tonumber(known[3]) / 1000), known[2])
end
return { 'judged', 'lost' }
