#!lua
-- purpose: Records a wake, before it happens.
-- guarantee: The fence is above that of every wake recorded before.
-- keys:
--   stream  reverie.wake_audit   or pseudoagent_wake_audit
--   state   quorate.stream_state
-- args:
--   waker   text  who wakes
--   target  text  who is woken or killed
--   method  text  how
--   fence   text  the fence of what the waker holds; empty for a new one
--   sum     text  the SHA-256 of what is delivered
--   reason  text  why
-- returns: { "recorded", id, fence } | { "refused", reason, detail }
-- writes: 2
-- use: now, iso, guard_type
-- layout: plain-only, tagged counterpart wake_tagged

local us = now()
local refusal = guard_type(stream, 'stream') or guard_type(state, 'hash')
if refusal then
  return refusal
end
if fence == '' then
  fence = string.format('%.0f', math.max(us, tonumber(redis.call('HGET', state, 'fence') or 0) + 1))
  redis.call('HSET', state, 'fence', fence)
end
local id = redis.call('XADD', stream, '*', 'ts', iso(us), 'waker', waker, 'target', target, 'method', method, 'fence', fence,
  'payload_sha256', sum, 'reason', reason)
return { 'recorded', id, fence }
