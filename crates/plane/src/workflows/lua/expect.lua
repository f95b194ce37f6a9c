#!lua
-- purpose: Says which branches a join waits for, where the topology does not.
-- guarantee: It is said once; branches that came before count, and if the rule is met already the stage is let go now.
-- keys:
--   run     relayna.workflow_run
--   agenda  quorate.workflow_agenda
-- keys-rest: places  relayna.fan_in   and ade.job_queue of the stage
-- reaches:
--   view  quorate.workflow_view
-- args:
--   task    text  whose run it is
--   digest  text  the version that the caller has read
--   stages  json  what is known of the stage
-- rest: names
-- returns: { "fired" | "waiting" | "late", state of the run, arrived, expected } | { "refused", reason, … }
-- writes: 30
-- use: now, iso, digits, guard_type, stages, joins, over
-- layout: plain-only, tagged counterpart expect_tagged

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
if known[1] ~= 'running' then
  return { 'refused', 'run_over', known[1] }
end
if known[2] ~= digest then
  return { 'refused', 'conflict' }
end
local said = redis.call('HMGET', places[1], 'expected', 'names', 'arrived')
local wanted = table.concat(names, ' ')
if said[1] or facts.expected then
  if said[2] == wanted then
    return { redis.call('HEXISTS', places[1], 'fired') == 1 and 'late' or 'waiting', 'running', said[3], said[1] }
  end
  return { 'refused', 'already_expected', said[1] or digits(#facts.expected) }
end
open_join(1, facts, us, ms)
expected_of(1, names)
redis.call('HSET', places[1], 'names', wanted)
local word = settle(1, facts, us, ms, false)
local state = word == 'impossible' and concluded(facts.stage, us, ms) or 'running'
return { word, state, redis.call('HGET', places[1], 'arrived'), digits(#names) }
