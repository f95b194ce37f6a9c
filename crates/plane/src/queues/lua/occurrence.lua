-- purpose: What becomes of an occurrence of a job while a worker has it, so that whether it ran is a lookup.
-- gives: occurrence_of, began, prolong, ended
-- writes: 5
-- The id of its item is `JOB.PLANNED`; a replay has `.rN` behind it. Only what the job's own list of occurrences knows is noted.
local function occurrence_of(queue, item)
  local id = queue:sub(1, 4) == 'job:' and item_id(item) or ''
  local job, planned = id:gsub('%.r%d+$', ''):match('^([%w][%w%._@+-]*)%.(%d+)$')
  if job and type(redis.pcall('HGET', runs(job), planned)) == 'string' then
    return job, planned
  end
end
local function began(queue, item, ms)
  local job, planned = occurrence_of(queue, item)
  if job then
    redis.call('SET', job_lock(job), agent, 'NX', 'PX', lease_ms)
    redis.call('HSET', runs(job), planned, 'started ' .. string.format('%.0f', ms) .. ' ' .. agent)
  end
  return job
end
local function prolong(queue, token)
  local value = token:sub(-1) == 'g' and redis.call('HGET', claims(queue), (token:match('%.(.*)$')))
  local job = value and occurrence_of(queue, value:match('^%d+ %S+ %d+ %S+ %S+ %S+ %S+ %S+ (.*)$') or '')
  if job and redis.pcall('GET', job_lock(job)) == agent then
    redis.call('PEXPIRE', job_lock(job), lease_ms)
  end
end
local function ended(queue, item, who, outcome, detail, ms)
  local job, planned = occurrence_of(queue, item)
  if not job then
    return
  end
  if redis.pcall('GET', job_lock(job)) == who then
    redis.call('DEL', job_lock(job))
  end
  redis.call('HSET', runs(job), planned, outcome .. ' ' .. string.format('%.0f', ms) .. detail) -- drains: it replaces a value
end
