#!lua
-- purpose: Puts jobs that are due into their queues, and plans their next occurrences.
-- guarantee: Never early by the server's time, and each occurrence once, however many schedulers there are and whenever they die.
-- keys:
--   scheduled  ade.scheduled_jobs
--   ended      quorate.ended_jobs
-- reaches:
--   record  quorate.job
--   runs    quorate.job_runs
--   lock    ade.job_lock
--   queue   ade.job_queue
-- args:
-- rest: firings
-- returns: { "queued LATE" | "skipped LATE" | "waiting" | "stale" | "early" | "refused", … }, one for each; or { "refused", reason, … }
-- writes: 13
-- use: now, digits, guard_type, occur, retire
-- layout: plain-only, tagged counterpart fire_tagged

-- A firing is `JOB PLANNED NEXT MISSED`: which occurrence, by its planned time in Unix milliseconds, when the next is, or 0,
-- and 1 where it is too late to run.
local refusal = guard_type(scheduled, 'zset') or guard_type(ended, 'zset')
if refusal then
  return refusal
end
local _, ms = now()
local function fire(job, planned, next_at, missed)
  local known = redis.pcall('HMGET', record(job), 'next_at', 'state', 'n', 'overlap', 'payload', 'member', 'queue')
  if known.err then
    return 'refused'
  end
  -- Another scheduler may have been here first.
  if known[2] ~= 'active' or known[1] ~= planned then
    return 'stale'
  end
  if ms < tonumber(planned) then
    return 'early'
  end
  if guard_type(runs(job), 'hash') or guard_type(lock(job), 'string') or guard_type(queue(known[7]), 'list') then
    return 'refused'
  end
  local number, verdict = tonumber(known[3]) + 1, 'queued'
  if missed == '1' then
    verdict = 'skipped'
    note(job, number, planned, 'skipped ' .. digits(ms) .. ' missed')
  elseif known[4] == 'skip' and redis.call('EXISTS', lock(job)) == 1 then
    verdict = 'skipped'
    note(job, number, planned, 'skipped ' .. digits(ms) .. ' overlap')
  elseif known[4] == 'queue-one' and redis.call('EXISTS', lock(job)) == 1 then
    -- It stays the next one, and is looked at again soon.
    if not redis.call('HGET', runs(job), planned) then
      note(job, number, planned, 'waiting ' .. digits(ms) .. ' overlap')
    end
    redis.call('ZADD', scheduled, string.format('%.3f', (ms + 200) / 1000), known[6])
    return 'waiting'
  else
    note(job, number, planned, 'queued ' .. digits(ms))
    enqueue(known[7], job, planned, known[5], ms)
  end
  if next_at > 0 then
    redis.call('HSET', record(job), 'next_at', digits(next_at), 'n', digits(number), 'last', planned)
    redis.call('ZADD', scheduled, string.format('%.3f', next_at / 1000), known[6])
  else
    redis.call('HSET', record(job), 'state', 'done', 'n', digits(number), 'last', planned)
    redis.call('PEXPIRE', record(job), 2592000000)
    redis.call('ZREM', scheduled, known[6])
    retire(job, ms)
  end
  return verdict .. ' ' .. digits(ms - tonumber(planned))
end
local verdicts = {}
for i = 1, #firings do
  local job, planned, next_at, missed = firings[i]:match('^(%S+) (%d+) (%d+) (%d)$')
  verdicts[i] = fire(job, planned, tonumber(next_at), missed)
end
return verdicts
