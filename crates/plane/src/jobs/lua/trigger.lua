#!lua
-- purpose: Runs a job once more now; its schedule stays as it is.
-- guarantee: It is an occurrence like any other, with a state of its own; a repeated call is one.
-- keys:
-- reaches:
--   record  quorate.job
--   runs    quorate.job_runs
--   queue   ade.job_queue
-- args:
--   request  request  the id of the call
--   job      text     which
--   name     text     the queue it goes to
-- returns: { "queued", planned } | { "refused", reason, … }
-- writes: 7
-- use: now, digits, guard_type, occur
-- layout: plain-only, tagged counterpart trigger_tagged

local refusal = guard_type(record(job), 'hash') or guard_type(runs(job), 'hash') or guard_type(queue(name), 'list')
if refusal then
  return refusal
end
local known = redis.call('HMGET', record(job), 'payload', 'n', 'triggered', 'triggered_at')
if not known[1] then
  return { 'refused', 'no_job' }
end
if known[3] == request then
  return { 'queued', known[4] }
end
local _, ms = now()
while redis.call('HEXISTS', runs(job), digits(ms)) == 1 do
  ms = ms + 1
end
redis.call('HSET', record(job), 'triggered', request, 'triggered_at', digits(ms), 'n', digits(known[2] + 1), 'last',
  digits(ms))
note(job, known[2] + 1, digits(ms), 'queued ' .. digits(ms))
enqueue(name, job, digits(ms), known[1], ms)
return { 'queued', digits(ms) }
