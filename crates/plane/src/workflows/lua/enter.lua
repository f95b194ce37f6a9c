#!lua
-- purpose: Lets a worker do one action of a stage, under a lease.
-- guarantee: An action that is done or under way is not begun again, and there are never more at once than the stage allows.
-- keys:
--   run       relayna.workflow_run
--   dedup     relayna.stage_dedup
--   inflight  relayna.stage_inflight
--   running   quorate.workflow_running
--   agenda    quorate.workflow_agenda
-- reaches:
--   view  quorate.workflow_view
-- args:
--   request    request  the id of the call
--   task       text     whose run it is
--   stage      text     where
--   signature  text     what makes this action the same as another
--   about      json     further fields of what readers see: who and which action
--   digest     text     the version that the caller has read
--   most       integer  most attempts of the stage at once over all runs, or 0
--   lease_ms   integer  how long until the attempt counts as lost
--   ttl_ms     integer  how long a done action is remembered
--   payload    json     what the queue gets for a retry, as a JSON text, or empty
-- returns: { "entered", attempt, until } | { "refused", reason, … }
-- writes: 21
-- use: now, iso, digits, guard_type, stages
-- layout: plain-only, tagged counterpart enter_tagged

local places = {}
local refusal = guard_type(run, 'hash') or guard_type(dedup, 'string') or guard_type(inflight, 'hash')
  or guard_type(running, 'zset') or guard_type(agenda, 'zset')
if refusal then
  return refusal
end
local _, ms = now()
local known = redis.call('HMGET', run, 'state', 'digest', 'try:' .. stage .. ':' .. signature, 'stage:' .. stage)
if not known[1] then
  return { 'refused', 'no_run', task }
end
local held = redis.call('HGET', inflight, signature)
if held then
  local attempt, until_ms, asked = held:match('^{"attempt":(%d+),"lease_until":(%d+),"request":"([^"]*)"')
  if asked == request then
    return { 'entered', attempt, until_ms }
  end
  return { 'refused', 'in_flight', held:match('"by":"([^"]*)"') or 'another client' }
end
if redis.call('EXISTS', dedup) == 1 then
  return { 'refused', 'action_done', stage }
end
if known[1] ~= 'running' then
  return { 'refused', 'run_over', known[1] }
end
if known[2] ~= digest then
  return { 'refused', 'conflict' }
end
local due = tonumber((known[3] or ''):match('^%d+ (%d+)') or 0)
if due > ms then
  return { 'refused', 'retry_later', digits(due - ms) }
end
if (tonumber((known[4] or ''):match('^%d+')) or 0) == 0 then
  return { 'refused', 'not_ready', stage }
end
if most > 0 and redis.call('ZCOUNT', running, '(' .. digits(ms), '+inf') >= most then
  return { 'refused', 'stage_full', digits(most) }
end
local attempt, until_ms = digits(redis.call('HINCRBY', run, 'n', 1)), digits(ms + lease_ms)
redis.call('HSET', inflight, signature, '{"attempt":' .. attempt .. ',"lease_until":' .. until_ms .. ',"request":"' .. request
  .. '","started":' .. digits(ms) .. ',' .. about .. '}')
redis.call('PEXPIRE', inflight, ttl_ms)
redis.call('SET', dedup, 'attempt ' .. attempt, 'PX', digits(ttl_ms))
redis.call('ZADD', running, until_ms, task .. ' ' .. signature)
redis.call('ZADD', agenda, until_ms, 'lease ' .. task .. ' ' .. stage .. ' ' .. signature)
redis.call('ZREM', agenda, 'retry ' .. task .. ' ' .. stage .. ' ' .. signature)
if payload ~= '' then
  redis.call('HSET', run, 'payload:' .. stage .. ':' .. signature, payload)
end
move(stage, -1, 1, 0, 0, ms)
return { 'entered', attempt, until_ms }
