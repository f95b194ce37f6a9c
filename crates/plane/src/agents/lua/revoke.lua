#!lua flags=allow-oom
-- purpose: Stops an agent at the store, whether it listens or not.
-- guarantee: Every later write of this and every earlier incarnation is refused; what it held passes on at once.
-- keys:
--   record    quorate.agent
--   leases    quorate.agent_leases
--   presence  skynet.presence
--   capacity  ade.agent_capacity
--   answers   quorate.answers
-- args:
--   request  request  the id of the call
--   agent    text     who is stopped
--   epoch    text     the incarnation that is meant, or empty for the current one
--   ban      text     why no new incarnation is admitted either, or empty
-- returns: { "revoked", epoch } | { "refused", reason, … }
-- writes: 9
-- use: now, digits, guard_type, answers
-- layout: plain-only, tagged counterpart revoke_tagged

local refusal = guard_type(record, 'hash') or guard_type(leases, 'zset') or guard_type(presence, 'string')
  or guard_type(capacity, 'hash') or guard_type(answers, 'hash')
if refusal then
  return refusal
end
local again = recall(answers, request)
if again then
  return again
end
local current = redis.call('HGET', record, 'epoch')
if not current then
  return { 'refused', 'unregistered' }
end
if epoch ~= '' and epoch ~= current then
  return { 'refused', 'stale_epoch', current }
end
local _, ms = now()
redis.call('HSET', record, 'revoked', current, 'lease_until', digits(ms)) -- drains: a record that is there
if ban ~= '' then
  redis.call('HSET', record, 'banned', ban) -- drains: as above
  redis.call('PERSIST', record)
end
redis.call('ZADD', leases, digits(ms), agent) -- drains: the reaper frees what it holds
redis.call('DEL', presence)
if redis.call('EXISTS', capacity) == 1 then
  redis.call('HSET', capacity, 'status', 'offline') -- drains: it replaces a value
end
return remember(answers, request, { 'revoked', current }, 64, 600000)
