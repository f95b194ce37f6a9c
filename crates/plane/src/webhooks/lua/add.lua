#!lua
-- purpose: Makes a webhook.
-- guarantee: It is listed, and has its secret, from the moment it is there; a repeated call finds its own.
-- keys:
--   hook    quorate.webhook
--   secret  quorate.webhook_secret
--   list    quorate.webhook_list
-- args:
--   id       text     its id
--   request  text     the id of the call
--   url      text     where deliveries go
--   events   text     of which events
--   streams  text     of which streams
--   by       text     who makes it
--   sign     text     what signs its deliveries
--   most     integer  how many there may be
-- returns: { "added", when } | { "refused", reason, detail }
-- writes: 3
-- use: now, digits, guard_type
-- layout: plain-only, tagged counterpart add_tagged

local refusal = guard_type(hook, 'hash') or guard_type(secret, 'string') or guard_type(list, 'zset')
if refusal then
  return refusal
end
local known = redis.call('HMGET', hook, 'request', 'created_at')
if known[1] then
  return known[1] == request and { 'added', known[2] } or { 'refused', 'conflict' }
end
if redis.call('ZCARD', list) >= most then
  return { 'refused', 'too_many_webhooks', digits(most) }
end
local _, ms = now()
redis.call('HSET', hook, 'url', url, 'events', events, 'streams', streams, 'by', by, 'request', request,
  'created_at', digits(ms), 'delivered', 0, 'failed', 0, 'streak', 0)
redis.call('SET', secret, sign)
redis.call('ZADD', list, ms, id)
return { 'added', digits(ms) }
