#!lua
-- purpose: Records the result of an attempt and brings the run to the next stages.
-- guarantee: A result counts once, and only that of the attempt under way; each next stage is given work, or has its branch
--   recorded, in the same step.
-- keys:
--   run       relayna.workflow_run
--   dedup     relayna.stage_dedup
--   inflight  relayna.stage_inflight
--   running   quorate.workflow_running
--   agenda    quorate.workflow_agenda
-- keys-rest: places  relayna.fan_in   and ade.job_queue, a pair for each next stage
-- reaches:
--   view  quorate.workflow_view
-- args:
--   task       text     whose run it is
--   stage      text     where
--   signature  text     which action
--   attempt    text     which attempt
--   digest     text     the version that the caller has read
--   result     json     what came out, or empty
--   terminal   integer  1 where the run may end here
--   ttl_ms     integer  how long a done action is remembered
--   nexts      json     what is known of the next stages
-- rest: brought
-- returns: { "completed", state of the run, "STAGE WORD"… } | { "refused", reason, … }
-- writes: 39
-- use: now, iso, digits, guard_type, stages, joins, over, attempt
-- layout: plain-only, tagged counterpart complete_tagged

local refusal = guard_type(run, 'hash') or guard_type(dedup, 'string') or guard_type(inflight, 'hash')
  or guard_type(running, 'zset') or guard_type(agenda, 'zset') or guard_views('running', 'completed', 'failed')
local list = cjson.decode(nexts)
for at, facts in ipairs(list) do
  refusal = refusal or guard_type(places[at * 2 - 1], 'hash') or (facts.item and guard_type(places[at * 2], 'list') or nil)
end
if refusal then
  return refusal
end
local us, ms = now()
local known = redis.call('HMGET', run, 'state', 'digest')
if not current() then
  if redis.call('GET', dedup) == 'done ' .. attempt then
    return { 'completed', known[1] or '' }
  end
  return { 'refused', 'stale_attempt', attempt }
end
if known[1] ~= 'running' then
  put_down()
  redis.call('SET', dedup, 'done ' .. attempt, 'PX', digits(ttl_ms))
  return { 'refused', 'run_over', known[1] or '' }
end
if known[2] ~= digest then
  return { 'refused', 'conflict' }
end
for at, facts in ipairs(list) do
  if facts.rule and not known_branch(at, facts, facts.branch) then
    return { 'refused', 'unknown_branch', facts.branch }
  end
end
put_down()
redis.call('SET', dedup, 'done ' .. attempt, 'PX', digits(ttl_ms))
redis.call('HDEL', run, 'try:' .. stage .. ':' .. signature, 'payload:' .. stage .. ':' .. signature)
redis.call('HSET', run, 'updated_at', iso(us))
if result ~= '' then
  redis.call('HSET', run, 'result:' .. stage, result)
end
move(stage, 0, -1, 1, 0, ms)
redis.call('HINCRBY', run, 'open', -1)
if terminal == 1 then
  redis.call('HINCRBY', run, 'terminal', 1)
end
local said, impossible = {}, nil
for at, facts in ipairs(list) do
  local word = 'ready'
  if facts.rule then
    word = arrive(at, facts, facts.branch, brought[at], false, 'attempt-' .. attempt, us, ms)
  else
    activate(at, facts, ms)
  end
  impossible = impossible or (word == 'impossible' and facts.stage)
  said[at] = facts.stage .. ' ' .. word
end
return { 'completed', concluded(impossible, us, ms), unpack(said) }
