#!lua flags=allow-oom
-- purpose: Notes how an attempt ended.
-- guarantee: A webhook that was removed meanwhile stays removed.
-- keys:
--   hook  quorate.webhook
-- args:
--   taken   integer  1 if the delivery was taken
--   result  text     how it ended, in a few words
-- returns: { "noted" } | { "gone" } | { "refused", reason, detail }
-- writes: 4
-- use: now, digits, guard_type
-- layout: any

local refusal = guard_type(hook, 'hash')
if refusal then
  return refusal
end
if redis.call('HEXISTS', hook, 'url') == 0 then
  return { 'gone' }
end
local _, ms = now()
if taken == 1 then
  redis.call('HINCRBY', hook, 'delivered', 1) -- drains: a counter
  redis.call('HSET', hook, 'streak', 0, 'last_at', digits(ms), 'last_result', result) -- drains: what is there is replaced
else
  redis.call('HINCRBY', hook, 'failed', 1) -- drains: a counter
  redis.call('HSET', hook, 'streak', (tonumber(redis.call('HGET', hook, 'streak')) or 0) + 1, -- drains: what is there is replaced
    'last_at', digits(ms), 'last_result', result)
end
return { 'noted' }
