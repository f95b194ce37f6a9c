#!lua
-- purpose: Ends an attempt that failed, or whose lease ran out; the action is tried again, given up, or ends the run.
-- guarantee: Each attempt fails once; a lease that was extended in the meantime is left alone.
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
--   attempt    text     which attempt; empty for one whose lease ran out
--   error      text     why
--   retries    integer  how often the action may be tried again
--   delay_ms   integer  how long until then
--   again_in   integer  1 where the stage has a queue, which gets the action again
--   goes_on    integer  1 where the run goes on without it
--   nexts      json     what is known of the joins behind it
--   lost       json     what these are told instead of a result
-- returns: { "retry", when } | { "failed", state of the run } | { "held" } | { "refused", reason, … }
-- writes: 40
-- use: now, iso, digits, guard_type, stages, joins, over, attempt
-- layout: plain-only, tagged counterpart fail_tagged

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
local try = 'try:' .. stage .. ':' .. signature
local known = redis.call('HMGET', run, 'state', try, 'lost:' .. stage .. ':' .. signature)
if attempt == '' then
  attempt = (redis.call('HGET', inflight, signature) or ''):match('^{"attempt":(%d+),') or ''
  if (current() or 0) > ms then
    return { 'held' }
  end
end
local failures, due, last = (known[2] or ''):match('^(%d+) (%d+) (%d+)$')
if not current() then
  redis.call('ZREM', agenda, 'lease ' .. task .. ' ' .. stage .. ' ' .. signature)
  if last and last == attempt then
    return { 'retry', due }
  end
  if known[3] and known[3] == attempt then
    return { 'failed', known[1] }
  end
  return { 'refused', 'stale_attempt', attempt }
end
put_down()
redis.call('DEL', dedup)
if known[1] ~= 'running' then
  return { 'refused', 'run_over', known[1] or '' }
end
local count = (tonumber(failures) or 0) + 1
redis.call('HSET', run, 'error:' .. stage, error, 'updated_at', iso(us)) -- drains: it replaces
if count <= retries then
  local when = digits(ms + delay_ms)
  redis.call('HSET', run, try, digits(count) .. ' ' .. when .. ' ' .. attempt) -- drains: it replaces
  move(stage, 1, -1, 0, 0, ms)
  if again_in == 1 then
    redis.call('ZADD', agenda, when, 'retry ' .. task .. ' ' .. stage .. ' ' .. signature) -- drains: one entry
  end
  return { 'retry', when }
end
redis.call('HDEL', run, try, 'payload:' .. stage .. ':' .. signature)
redis.call('HSET', run, 'lost:' .. stage .. ':' .. signature, attempt) -- drains: one word
move(stage, 0, -1, 0, 1, ms)
redis.call('HINCRBY', run, 'open', -1) -- drains: a count
if goes_on == 0 then
  return { 'failed', ended('failed', error == '' and stage or stage .. ': ' .. error, us, ms) }
end
local impossible
for at, facts in ipairs(list) do
  if known_branch(at, facts, facts.branch)
    and arrive(at, facts, facts.branch, lost, true, '!lost', us, ms) == 'impossible' then
    impossible = impossible or facts.stage
  end
end
return { 'failed', concluded(impossible, us, ms) }
