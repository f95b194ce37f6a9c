#!lua flags=no-writes
-- purpose: What waits in a queue, what is out, and since when.
-- guarantee: One moment of the queue.
-- keys:
--   list  reverie.task_queue   or ade.job_queue
-- reaches:
--   claims   quorate.queue_claims
--   agenda   quorate.queue_agenda
--   delayed  quorate.queue_delayed
--   state    quorate.queue_state
--   ready    quorate.queue_ready
--   classes  quorate.queue_classes
--   view     quorate.dead_view
--   busy     quorate.queue_busy
--   lane     quorate.queue_lane
-- args:
--   queue  text     which one
--   most   integer  how many claims to name
-- returns: { ready, in flight, delayed, age of the oldest in ms or -, paused, stale, dead, claim… }
-- writes: 0
-- use: now, facts
-- layout: plain-only, tagged counterpart inspect_tagged

local _, ms = now()
local now_ms = string.format('%.0f', ms)
local kind = redis.call('TYPE', list).ok
local depth, oldest = tonumber(redis.call('HGET', state(queue), 'lanes') or '0'), nil
local function older(at)
  oldest = at and at > 1 and (not oldest or at < oldest) and at or oldest
end
if kind == 'list' then
  depth = depth + redis.call('LLEN', list)
  older(item_at(redis.call('LINDEX', list, -1) or ''))
end
for _, class in ipairs(redis.call('ZRANGE', classes(queue), 0, 99)) do
  older(tonumber(redis.call('ZRANGE', ready(queue .. ':' .. class), 0, 0, 'WITHSCORES')[2]))
end
-- What waits behind an item of its group that is out: of a hundred groups, since there may be any number.
for _, name in ipairs(redis.call('SRANDMEMBER', busy(queue), 100)) do
  older(item_at((redis.call('LINDEX', lane(queue .. ':' .. name), 0) or ''):match('^%d+ %S+ %S+ %S+ %S+ %S+ (.*)$') or ''))
end
local due = redis.call('ZCOUNT', delayed(queue), '-inf', ms)
local lapsed = redis.call('ZCOUNT', agenda(queue), 1, ms)
local out = redis.call('ZCOUNT', agenda(queue), '(' .. now_ms, '+inf')
local mark = tonumber(redis.call('ZSCORE', agenda(queue), '!d') or -1)
lapsed = lapsed - ((mark >= 1 and mark <= ms) and 1 or 0)
out = out - (mark > ms and 1 or 0)
-- What has become due, or whose lease ran out, waits since then.
older(tonumber(redis.call('ZRANGEBYSCORE', delayed(queue), '-inf', now_ms, 'WITHSCORES', 'LIMIT', 0, 1)[2]))
if lapsed > 0 then
  local ended = redis.call('ZRANGEBYSCORE', agenda(queue), 1, now_ms, 'WITHSCORES', 'LIMIT', 0, 2)
  older(tonumber(ended[1] == '!d' and ended[4] or ended[2]))
end
local known = redis.call('HMGET', state(queue), 'paused', 'stale')
local answer = { depth + due + lapsed, out, redis.call('ZCARD', delayed(queue)) - due, oldest and ms - oldest or '-',
  known[1] or '', known[2] or '0', redis.call('ZCARD', view('open:source:queue:' .. queue)) }
local ends = most > 0 and redis.call('ZRANGEBYSCORE', agenda(queue), '(' .. now_ms, '+inf', 'WITHSCORES', 'LIMIT', 0, most) or {}
for place = 1, #ends, 2 do
  local claim = ends[place]:match('^%d+%.([^.]+%.%d+g?)%.')
  local value = claim and redis.call('HGET', claims(queue), claim)
  if value then
    answer[#answer + 1] = ends[place + 1] .. ' ' .. value
  end
end
for place = 1, #answer do
  answer[place] = type(answer[place]) == 'number' and string.format('%.0f', answer[place]) or answer[place]
end
return answer
