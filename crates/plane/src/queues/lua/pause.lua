#!lua flags=allow-oom
-- purpose: Stops a queue from giving out items, or lets it go on.
-- guarantee: From this moment; what is claimed stays claimed.
-- keys:
--   state   quorate.queue_state
--   agenda  quorate.queue_agenda
-- args:
--   who   text     who pauses it, or empty to let it go on
--   wake  text     the channel of those who wait
-- returns: { "paused" | "resumed", who paused it before }
-- writes: 4
-- use: now, iso
-- layout: any

local before = redis.call('HGET', state, 'paused') or ''
if who ~= '' then
  local us = now()
  redis.call('ZADD', agenda, -1, '!p') -- drains: one mark
  if before == '' then
    redis.call('HSET', state, 'paused', who .. ' ' .. iso(us)) -- drains: one field
  end
  return { 'paused', before }
end
redis.call('ZREM', agenda, '!p')
redis.call('HDEL', state, 'paused')
redis.call('PUBLISH', wake, '!p')
return { 'resumed', before }
