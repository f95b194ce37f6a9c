#!lua flags=allow-oom
-- purpose: Takes a sign of life of an agent and tells it what waits for it.
-- guarantee: A replaced, revoked or deregistered incarnation is refused and is never brought back by a late beat.
-- keys:
--   session   reverie.session
--   index     reverie.session_index
--   presence  skynet.presence
--   capacity  ade.agent_capacity
--   record    quorate.agent
--   leases    quorate.agent_leases
--   inbox     reverie.inbox
--   letters   quorate.letters
-- reaches:
--   message   quorate.message
-- args:
--   agent  text  who is alive
--   epoch  text  its epoch, or empty for the current one
-- returns: { "acked", epoch, lease_until, messages that wait, drain or "", how many of them are unread } | { "refused", reason, … }
-- writes: 10
-- use: now, iso, digits, guard_type, admit, beat
-- layout: plain-only, tagged counterpart heartbeat_tagged

local refusal = guard_type(session, 'hash') or guard_type(index, 'zset') or guard_type(presence, 'string')
  or guard_type(capacity, 'hash') or guard_type(inbox, 'list') or guard_type(record, 'hash')
  or guard_type(leases, 'zset') or guard_type(letters, 'zset')
if refusal then
  return refusal
end
local us, ms = now()
local refused, current, lease_ms, drain = admit(record, epoch, ms, 'lease_ms')
if refused then
  return refused
end
-- The session is the authority: one that another client removed is not made anew from half of its fields.
if redis.call('EXISTS', session) == 0 then
  return { 'refused', 'unregistered' }
end
local keys = { record = record, session = session, index = index, leases = leases, presence = presence }
local lease_until = beat(keys, agent, current, us, ms, tonumber(lease_ms), digits)
if redis.call('EXISTS', capacity) == 1 then
  local status = drain and 'draining' or 'active'
  redis.call('HSET', capacity, 'last_heartbeat', iso(us), 'status', status) -- drains: it replaces values
end
local waiting = redis.call('LLEN', inbox)
if waiting == 0 then
  return { 'acked', current, digits(lease_until), 0, drain or '', 0 }
end
-- The agent is told of them now, so they are delivered.
for _, id in ipairs(redis.call('ZRANGEBYSCORE', letters, 0, 0, 'LIMIT', 0, 100)) do
  redis.call('ZADD', letters, 'XX', 1, id) -- drains: it replaces a score
  redis.call('HSETNX', message(id), 'delivered_at', digits(us)) -- drains: a field of a message that is there
end
local unread = math.max(0, waiting - redis.call('ZCOUNT', letters, 2, 2))
return { 'acked', current, digits(lease_until), waiting, drain or '', unread }
