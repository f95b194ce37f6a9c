#!lua flags=allow-oom
-- purpose: Says whether a run is listed and watched as its state wants it, and puts that right if asked to.
-- guarantee: Looks at the run itself before it writes; a run that is over is never revived.
-- keys:
--   run       relayna.workflow_run
--   inflight  relayna.stage_inflight
--   agenda    quorate.workflow_agenda
-- reaches:
--   view  quorate.workflow_view
-- args:
--   task    text     whose run it is
--   stage   text     the stage whose attempts are looked at, or empty
--   commit  integer  1 to put it right
-- returns: { "judged", "" | "unlisted" | "unwatched" | "unleased" } | { "refused", reason, … }
-- writes: 3
-- use: guard_type
-- layout: plain-only, tagged counterpart mend_tagged

local refusal = guard_type(run, 'hash') or guard_type(agenda, 'zset') or guard_type(inflight, 'hash')
if refusal then
  return refusal
end
local known = redis.call('HMGET', run, 'state', 'deadline')
local fault = ''
if known[1] ~= 'running' or not known[2] then
  return { 'judged', '' }
end
if not redis.call('ZSCORE', view('running'), task) then
  fault = 'unlisted'
  if commit == 1 then
    redis.call('ZADD', view('running'), known[2], task) -- drains: one name
  end
end
if not redis.call('ZSCORE', agenda, 'run ' .. task) then
  fault = 'unwatched'
  if commit == 1 then
    redis.call('ZADD', agenda, known[2], 'run ' .. task) -- drains: one entry
  end
end
if stage ~= '' then
  local held = redis.call('HGETALL', inflight)
  for at = 1, #held, 2 do
    local till, member = held[at + 1]:match('^{"attempt":%d+,"lease_until":(%d+),'), 'lease ' .. task .. ' ' .. stage .. ' ' .. held[at]
    if till and not redis.call('ZSCORE', agenda, member) then
      fault = 'unleased'
      if commit == 1 then
        redis.call('ZADD', agenda, till, member) -- drains: one entry
      end
    end
  end
end
return { 'judged', fault }
