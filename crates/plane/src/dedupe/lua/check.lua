#!lua
-- purpose: Says whether a content is seen for the first time within the window.
-- guarantee: Of many that ask at once one is the first; the old leave and the key expires, all in one step.
-- keys:
--   seen    reverie.seen
--   firsts  quorate.firsts
-- args:
--   request    request  the id of the call
--   content    text     the hash of the content
--   window_ms  integer  for how long it counts as seen
-- returns: { "first", when } | { "duplicate", when it was first seen } | { "refused", reason, … }
-- writes: 6
-- use: now, guard_type, answers
-- layout: plain-only, tagged counterpart check_tagged

local refusal = guard_type(seen, 'zset') or guard_type(firsts, 'hash')
if refusal then
  return refusal
end
local again = recall(firsts, request)
if again then
  return again
end
local us, ms = now()
local time = string.format('%.6f', us / 1000000)
local before = tonumber(redis.call('ZSCORE', seen, content) or '0')
local old = redis.call('ZRANGEBYSCORE', seen, '-inf', string.format('(%.6f', (ms - window_ms) / 1000), 'LIMIT', 0, 100)
if before * 1000 > ms - window_ms then
  return { 'duplicate', string.format('%.6f', before) }
end
if #old > 0 then
  redis.call('ZREM', seen, unpack(old))
end
redis.call('ZADD', seen, time, content)
redis.call('PEXPIRE', seen, math.max(window_ms, redis.call('PTTL', seen)))
return remember(firsts, request, { 'first', time }, 64, 60000)
