#!lua
-- purpose: Begins the run of a workflow for a task.
-- guarantee: A task has one run; a repeated call begins it once.
-- keys:
--   run     relayna.workflow_run
--   agenda  quorate.workflow_agenda
-- keys-rest: places  relayna.fan_in   and ade.job_queue, a pair for each entry stage
-- reaches:
--   view  quorate.workflow_view
-- args:
--   request   request  the id of the call
--   task      text     whose run it is
--   workflow  text     which workflow
--   version   text     its version
--   digest    text     the hash of that version
--   who       text     who begins it
--   payload   json     what it is about
--   life_ms   integer  how long it may take
--   entries   json     what is known of the entry stages
-- returns: { "started" } | { "refused", reason, … }
-- writes: 18
-- use: now, iso, digits, guard_type, stages
-- layout: plain-only, tagged counterpart start_tagged

local refusal = guard_type(run, 'hash') or guard_type(agenda, 'zset') or guard_type(view('running'), 'zset')
for _, place in ipairs(places) do
  local kind = redis.call('TYPE', place).ok
  if kind ~= 'none' and kind ~= 'list' and kind ~= 'hash' then
    refusal = refusal or { 'refused', 'wrong_type', place }
  end
end
if refusal then
  return refusal
end
local known = redis.call('HMGET', run, 'state', 'request')
if known[2] == request then
  return { 'started' }
end
if redis.call('EXISTS', run) == 1 then
  return { 'refused', 'run_exists', known[1] or '' }
end
local us, ms = now()
redis.call('HSET', run, 'workflow', workflow, 'version', version, 'digest', digest, 'state', 'running', 'created_at', iso(us),
  'created_by', who, 'request', request, 'payload', payload, 'deadline', digits(ms + life_ms), 'open', 0, 'n', 0)
redis.call('ZADD', view('running'), digits(ms), task)
redis.call('ZADD', agenda, digits(ms + life_ms), 'run ' .. task)
for at, facts in ipairs(cjson.decode(entries)) do
  activate(at, facts, ms)
end
return { 'started' }
