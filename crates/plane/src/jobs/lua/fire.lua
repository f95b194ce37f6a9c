#!lua
-- purpose: Puts a job that is due into its queue, and plans its next occurrence.
-- guarantee: Never early by the server's time, and each occurrence once, however many schedulers there are and whenever they die.
-- keys:
--   scheduled  ade.scheduled_jobs
--   record     quorate.job
--   runs       quorate.job_runs
--   lock       ade.job_lock
--   queue      ade.job_queue
--   ended      quorate.ended_jobs
-- args:
--   job      text     which
--   planned  text     which occurrence: its planned time in Unix milliseconds
--   next_at  integer  when the next is, or 0
--   missed   integer  1 where it is too late to run
-- returns: { "queued" | "skipped", how late } | { "waiting" } | { "stale" } | { "early" } | { "refused", reason, … }
-- writes: 13
-- use: now, digits, guard_type, occur, retire
-- layout: plain-only, tagged counterpart fire_tagged

local refusal = guard_type(scheduled, 'zset') or guard_type(record, 'hash') or guard_type(runs, 'hash')
  or guard_type(lock, 'string') or guard_type(queue, 'list') or guard_type(ended, 'zset')
if refusal then
  return refusal
end
local _, ms = now()
local known = redis.call('HMGET', record, 'next_at', 'state', 'n', 'overlap', 'payload', 'member')
if known[2] ~= 'active' or known[1] ~= planned then
  return { 'stale' }
end
if ms < tonumber(planned) then
  return { 'early' }
end
local number, verdict = tonumber(known[3]) + 1, 'queued'
if missed == 1 then
  verdict = 'skipped'
  note(number, planned, 'skipped ' .. digits(ms) .. ' missed')
elseif known[4] == 'skip' and redis.call('EXISTS', lock) == 1 then
  verdict = 'skipped'
  note(number, planned, 'skipped ' .. digits(ms) .. ' overlap')
elseif known[4] == 'queue-one' and redis.call('EXISTS', lock) == 1 then
  -- It stays the next one, and is looked at again soon.
  if not redis.call('HGET', runs, planned) then
    note(number, planned, 'waiting ' .. digits(ms) .. ' overlap')
  end
  redis.call('ZADD', scheduled, string.format('%.3f', (ms + 200) / 1000), known[6])
  return { 'waiting' }
else
  note(number, planned, 'queued ' .. digits(ms))
  enqueue(job, planned, known[5], ms)
end
if next_at > 0 then
  redis.call('HSET', record, 'next_at', digits(next_at), 'n', digits(number), 'last', planned)
  redis.call('ZADD', scheduled, string.format('%.3f', next_at / 1000), known[6])
else
  redis.call('HSET', record, 'state', 'done', 'n', digits(number), 'last', planned)
  redis.call('PEXPIRE', record, 2592000000)
  redis.call('ZREM', scheduled, known[6])
  retire(job, ms)
end
return { verdict, digits(ms - tonumber(planned)) }
