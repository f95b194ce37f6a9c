#!lua flags=allow-oom
-- purpose: Puts the indexes of a queue right from what decides: a claim without a lease, a lease without a claim, a lost mark.
-- guarantee: Looks again before each change; an item that nobody would find any more is the next to be claimed.
-- keys:
-- reaches:
--   claims   quorate.queue_claims
--   agenda   quorate.queue_agenda
--   delayed  quorate.queue_delayed
--   held     quorate.queue_held
--   state    quorate.queue_state
--   lane     quorate.queue_lane
--   ready    quorate.queue_ready
--   classes  quorate.queue_classes
--   busy     quorate.queue_busy
--   wake     quorate.queue_wake
-- args:
--   queue  text  which one
--   what   text  claim, lease, held, delayed, lane or count
--   name   text  of what
-- returns: { "mended" }
-- writes: 18
-- use: guard_type, facts, lanes
-- layout: plain-only, tagged counterpart mend_tagged

if what == 'claim' then
  local value = redis.call('HGET', claims(queue), name)
  local agent, fence = (value or ''):match('^%d+ (%S+) %d+ %S+ %S+ %S+ %S+ (%d+) ')
  local mark = agent and fence .. '.' .. name .. '.' .. agent
  if mark and not redis.call('ZSCORE', agenda(queue), mark) then
    redis.call('ZADD', agenda(queue), 1, mark) -- drains: one mark for an item that is there
  end
elseif what == 'lease' then
  local claim = name:match('^%d+%.([^.]+%.%d+g?)%.')
  if not claim or redis.call('HEXISTS', claims(queue), claim) == 0 then
    redis.call('ZREM', agenda(queue), name)
  end
elseif what == 'held' then
  local agent, mark = name:match('^(%S+) (%S+)$')
  local ends = mark and redis.call('ZSCORE', agenda(queue), mark)
  if ends then
    redis.call('ZADD', held(agent), ends, queue .. ' ' .. mark) -- drains: one mark
  elseif mark then
    redis.call('ZREM', held(agent), queue .. ' ' .. mark)
  end
elseif what == 'delayed' then
  local first = redis.call('ZRANGE', delayed(queue), 0, 0, 'WITHSCORES')
  if first[1] then
    redis.call('ZADD', agenda(queue), first[2], '!d') -- drains: one mark
  else
    redis.call('ZREM', agenda(queue), '!d')
  end
elseif what == 'lane' then
  open_lane(queue, name)
elseif what == 'count' then
  -- What was found and what was counted: only if nothing went in or out since.
  local found, counted = name:match('^(%d+) (%S+)$')
  if found and (redis.call('HGET', state(queue), 'lanes') or '0') == counted then
    redis.call('HSET', state(queue), 'lanes', found) -- drains: it replaces a number
  end
end
return { 'mended' }
