#!lua
-- purpose: Brings one branch of a task to the stage that joins it with others.
-- guarantee: The stage is let go exactly once, when its rule is met, whatever comes twice, late or in another order.
-- keys:
--   run     relayna.workflow_run
--   agenda  quorate.workflow_agenda
-- keys-rest: places  relayna.fan_in   and ade.job_queue of the stage
-- reaches:
--   view  quorate.workflow_view
-- args:
--   request  request  the id of the call
--   task     text     whose run it is
--   branch   text     which branch
--   digest   text     the version that the caller has read
--   stages   json     what is known of the stage
--   result   json     what the branch brings
-- returns: { "fired" | "waiting" | "late" | "duplicate" | "impossible", state of the run, arrived, expected } | { "refused", reason, … }
-- writes: 31
-- use: now, iso, digits, guard_type, stages, joins, over
-- layout: plain-only, tagged counterpart arrive_tagged

local facts = cjson.decode(stages)[1]
local refusal = guard_type(run, 'hash') or guard_type(agenda, 'zset') or guard_type(places[1], 'hash')
  or guard_views('running', 'completed', 'failed')
  or (facts.item and guard_type(places[2], 'list') or nil)
if refusal then
  return refusal
end
local us, ms = now()
local known = redis.call('HMGET', run, 'state', 'digest')
if not known[1] then
  return { 'refused', 'no_run', task }
end
if known[2] ~= digest then
  return { 'refused', 'conflict' }
end
if not known_branch(1, facts, branch) then
  return { 'refused', 'unknown_branch', branch }
end
local word, state
if known[1] == 'running' then
  word = arrive(1, facts, branch, result, false, request, us, ms)
  state = word == 'impossible' and concluded(facts.stage, us, ms) or 'running'
else
  -- A run that is over takes nothing on, and still says what came too late.
  word, state = 'late', known[1]
  if redis.call('HGET', places[1], 'branch:' .. branch) == '' or redis.call('HEXISTS', places[1], 'branch:' .. branch) == 0 then
    redis.call('HSETNX', places[1], 'late:' .. branch, result)
    redis.call('PEXPIRE', places[1], facts.keep)
  else
    word = 'duplicate'
  end
end
local counts = redis.call('HMGET', places[1], 'arrived', 'expected')
return { word, state, counts[1] or '0', counts[2] or '' }
