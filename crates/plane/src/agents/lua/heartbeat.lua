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
-- args:
--   agent  text  who is alive
--   epoch  text  its epoch, or empty for the current one
-- returns: { "acked", epoch, lease_until, waiting messages, drain or "" } | { "refused", reason, … }
-- writes: 8
-- use: now, iso, digits, guard_type, admit, beat
-- layout: plain-only, tagged counterpart heartbeat_tagged

local refusal = guard_type(session, 'hash') or guard_type(index, 'zset') or guard_type(presence, 'string')
  or guard_type(capacity, 'hash') or guard_type(inbox, 'list') or guard_type(record, 'hash')
  or guard_type(leases, 'zset')
if refusal then
  return refusal
end
local us, ms = now()
local refused, current, _, drain, lease_ms = admit(record, epoch, ms)
if refused then
  return refused
end
-- The session is the authority: one that another client removed is not made anew from half of its fields.
if redis.call('EXISTS', session) == 0 then
  return { 'refused', 'unregistered' }
end
local keys = { record = record, session = session, index = index, leases = leases, presence = presence }
local lease_until = beat(keys, agent, current, us, ms, lease_ms, digits)
if redis.call('EXISTS', capacity) == 1 then
  local status = drain and 'draining' or 'active'
  redis.call('HSET', capacity, 'last_heartbeat', iso(us), 'status', status) -- drains: it replaces values
end
return { 'acked', current, digits(lease_until), redis.call('LLEN', inbox), drain or '' }
