#!lua flags=allow-oom
-- purpose: Stops an agent at the store, whether it listens or not.
-- guarantee: Every later write of this and every earlier incarnation is refused; what it held passes on at once.
-- keys:
--   record    quorate.agent
--   leases    quorate.agent_leases
--   presence  skynet.presence
-- args:
--   agent  text  who is stopped
--   ban    text  why no new incarnation is admitted either, or empty
-- returns: { "revoked", epoch } | { "refused", reason }
-- writes: 5
-- use: now, digits, guard_type
-- layout: plain-only, tagged counterpart revoke_tagged

local refusal = guard_type(presence, 'string')
if refusal then
  return refusal
end
local current = redis.call('HGET', record, 'epoch')
if not current then
  return { 'refused', 'unregistered' }
end
local _, ms = now()
redis.call('HSET', record, 'revoked', current, 'lease_until', digits(ms)) -- drains: a record that is there
if ban ~= '' then
  redis.call('HSET', record, 'banned', ban) -- drains: as above
  redis.call('PERSIST', record)
end
redis.call('ZADD', leases, digits(ms), agent) -- drains: the reaper frees what it holds
redis.call('DEL', presence)
return { 'revoked', current }
