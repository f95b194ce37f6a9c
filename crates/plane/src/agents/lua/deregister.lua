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
--   answers   quorate.answers
-- reaches:
--   by_role        quorate.agents_by_role
--   by_capability  quorate.agents_by_capability
-- args:
--   request  request  the id of the call
--   agent    text     who leaves
--   epoch    text     its epoch, or empty for the current one
-- returns: { "deregistered", epoch } | { "refused", reason, … }
-- writes: 10
-- use: now, digits, guard_type, answers, admit, words
-- layout: plain-only, tagged counterpart deregister_tagged

local refusal = guard_type(session, 'hash') or guard_type(index, 'zset') or guard_type(presence, 'string')
  or guard_type(capacity, 'hash') or guard_type(record, 'hash') or guard_type(leases, 'zset')
  or guard_type(answers, 'hash')
if refusal then
  return refusal
end
local again = recall(answers, request)
if again then
  return again
end
local _, ms = now()
local refused, current = admit(record, epoch, ms)
if refused then
  return refused
end
local sets = word_sets(redis.call('HGET', record, 'words') or '')
refusal = guard_sets(sets, guard_type)
if refusal then
  return refusal
end
redis.call('HSET', record, 'dead_at', digits(ms), 'lease_until', digits(ms)) -- drains: it replaces values
redis.call('HDEL', record, 'drain', 'max_tasks', 'words')
redis.call('ZADD', leases, digits(ms), agent) -- drains: until what it held has passed on
redis.call('DEL', session, presence, capacity)
redis.call('ZREM', index, agent)
leave(sets, agent)
return remember(answers, request, { 'deregistered', current }, 64, 600000)
