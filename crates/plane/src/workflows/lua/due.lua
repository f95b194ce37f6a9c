#!lua
-- purpose: Deals with one entry of the agenda: a deadline, a retry or a service level.
-- guarantee: Nothing happens before it is due by the server's time, and each entry is dealt with once.
-- keys:
--   run     relayna.workflow_run
--   agenda  quorate.workflow_agenda
-- keys-rest: places  relayna.fan_in   and ade.job_queue of the stage
-- reaches:
--   view  quorate.workflow_view
-- args:
--   task    text  whose run it is
--   member  text  the entry
--   kind    text  run, join, retry or sla
--   stages  json  what is known of the stage
--   action  text  the signature of the action to be tried again
-- returns: { "ended" | "fired" | "again" | "overdue" | "gone" | "early" } | { "refused", reason, … }
-- writes: 34
-- use: now, iso, digits, guard_type, stages, joins
-- layout: plain-only, tagged counterpart due_tagged

local facts = cjson.decode(stages)[1]
local refusal = guard_type(run, 'hash') or guard_type(agenda, 'zset') or guard_views('running', 'completed', 'failed')
if facts then
  refusal = refusal or guard_type(places[1], 'hash') or (facts.item and guard_type(places[2], 'list') or nil)
end
if refusal then
  return refusal
end
local us, ms = now()
local score = tonumber(redis.call('ZSCORE', agenda, member) or nil)
if not score then
  return { 'gone' }
end
if score > ms then
  return { 'early' }
end
redis.call('ZREM', agenda, member)
if redis.call('HGET', run, 'state') ~= 'running' then
  return { 'gone' }
end
if kind == 'run' then
  ended('failed', 'it took longer than it may', us, ms)
  return { 'ended' }
end
if not facts then
  return { 'gone' }
end
if kind == 'sla' then
  redis.call('HINCRBY', run, 'sla:' .. facts.stage, 1)
  return { 'overdue' }
end
if kind == 'retry' then
  local kept = redis.call('HGET', run, 'payload:' .. facts.stage .. ':' .. action)
  if kept and facts.item then
    local n = digits(redis.call('HINCRBY', run, 'n', 1))
    redis.call('LPUSH', places[2], '{"at":' .. digits(ms) .. ',"id":"' .. task .. '.' .. facts.stage .. '.' .. n
      .. '","payload":' .. kept .. '}')
  end
  return { 'again' }
end
local word = settle(1, facts, us, ms, true)
if word == 'impossible' then
  ended('failed', 'the join ' .. facts.stage .. ' was not met in time', us, ms)
end
return { word == 'fired' and 'fired' or word == 'late' and 'gone' or 'ended' }
