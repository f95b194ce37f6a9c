#!lua flags=allow-oom
-- purpose: Takes an agent out of the leases after what it held has passed on.
-- guarantee: An agent that was heard from in the meantime stays, with the end of its lease as it is now.
-- keys:
--   record    quorate.agent
--   leases    quorate.agent_leases
--   capacity  ade.agent_capacity
-- args:
--   agent  text  whose lease has ended
-- returns: { "retired" } | { "alive" } | { "refused", reason, … }
-- writes: 3
-- use: now, digits, guard_type
-- layout: plain-only, tagged counterpart retire_tagged

local refusal = guard_type(record, 'hash') or guard_type(leases, 'zset') or guard_type(capacity, 'hash')
if refusal then
  return refusal
end
local _, ms = now()
local lease_until = tonumber(redis.call('HGET', record, 'lease_until'))
if lease_until and lease_until > ms then
  redis.call('ZADD', leases, 'XX', digits(lease_until), agent) -- drains: it replaces a score
  return { 'alive' }
end
redis.call('ZREM', leases, agent)
-- A capacity that another client wrote for an agent that never registered here is its own affair.
if lease_until and redis.call('EXISTS', capacity) == 1 then
  redis.call('HSET', capacity, 'status', 'offline') -- drains: it replaces a value
end
return { 'retired' }
