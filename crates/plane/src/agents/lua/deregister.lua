#!lua flags=allow-oom
-- purpose: Ends a session: its record goes from every system that had a word for it.
-- guarantee: A late heartbeat of it is refused; its epoch stays known, so that a later one is higher.
-- keys:
--   session   reverie.session
--   index     reverie.session_index
--   presence  skynet.presence
--   capacity  ade.agent_capacity
--   record    quorate.agent
--   leases    quorate.agent_leases
-- keys-rest: words quorate.agents_by_role
-- args:
--   agent  text  who leaves
--   epoch  text  its epoch, or empty for the current one
-- returns: { "deregistered", epoch } | { "refused", reason, … }
-- writes: 7
-- use: now, digits, admit
-- layout: plain-only, tagged counterpart deregister_tagged

local _, ms = now()
local refused, current = admit(record, epoch, ms)
if refused and refused[2] ~= 'revoked' then
  return refused
end
current = current or refused[3]
redis.call('HSET', record, 'revoked', current, 'dead_at', digits(ms), 'lease_until', digits(ms)) -- drains: it ends a record
redis.call('ZADD', leases, digits(ms), agent) -- drains: until what it held has passed on
redis.call('DEL', session, presence, capacity)
redis.call('ZREM', index, agent)
for _, word in ipairs(words) do
  redis.call('SREM', word, agent)
end
return { 'deregistered', current }
