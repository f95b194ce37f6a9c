#!lua
-- purpose: Registers an agent: a new incarnation, or the same one again with its epoch.
-- guarantee: An incarnation's epoch is above every earlier one's, and the earlier ones are refused from then on.
-- keys:
--   session   reverie.session
--   index     reverie.session_index
--   presence  skynet.presence
--   context   skynet.context
--   capacity  ade.agent_capacity
--   record    quorate.agent
--   leases    quorate.agent_leases
--   answers   quorate.answers
-- keys-rest: words quorate.agents_by_role
-- args:
--   request    request  the id of the call
--   agent      text     who registers
--   epoch      text     the caller's epoch, if it has one
--   version    text     the version the caller has seen, empty for none
--   lease_ms   integer  how long what it holds outlasts its last sign of life
--   kind       text     the agent's type, for its context
--   max_tasks  text     most task locks at once, or empty
--   added      integer  how many of the words it joins; it leaves the others
-- rest: fields
-- returns: { "registered", epoch, lease_until, version } | { "refused", reason, … }
-- writes: 22
-- use: now, iso, digits, guard_type, answers, beat
-- layout: plain-only, tagged counterpart register_tagged

local again = recall(answers, request)
if again then
  return again
end
local refusal = guard_type(session, 'hash') or guard_type(index, 'zset') or guard_type(presence, 'string')
  or guard_type(context, 'hash') or guard_type(capacity, 'hash')
if refusal then
  return refusal
end
local us, ms = now()
local known = redis.call('HMGET', record, 'epoch', 'revoked', 'banned', 'version', 'dead_at')
if known[3] then
  return { 'refused', 'banned', known[3] }
end
if version ~= (known[4] or '') then
  return { 'refused', 'conflict' }
end
local same = epoch ~= '' and epoch == known[1] and tonumber(known[5]) > ms
  and not (known[2] and tonumber(known[2]) >= tonumber(epoch))
if epoch ~= '' and not same then
  return { 'refused', 'stale_epoch', known[1] or '' }
end
local current = same and epoch or digits(math.max((tonumber(known[1]) or 0) + 1, us))
local next_version = digits((tonumber(known[4]) or 0) + 1)
redis.call('HSET', record, 'epoch', current, 'lease_ms', digits(lease_ms), 'version', next_version)
if not same then
  redis.call('HDEL', record, 'drain', 'max_tasks')
  redis.call('HSET', session, 'registered_at', string.format('%.6f', us / 1000000))
end
if #fields > 0 then
  redis.call('HSET', session, unpack(fields))
end
local keys = { record = record, session = session, index = index, leases = leases, presence = presence }
local lease_until = beat(keys, agent, current, us, ms, lease_ms, digits)
redis.call('HSETNX', context, 'agent_type', kind)
redis.call('HSETNX', context, 'created_at', iso(us))
if max_tasks ~= '' then
  redis.call('HSET', record, 'max_tasks', max_tasks)
  redis.call('HSET', capacity, 'max_tasks', max_tasks, 'last_heartbeat', iso(us), 'status', 'active')
  redis.call('HSETNX', capacity, 'active_tasks', 0)
  redis.call('HSETNX', capacity, 'queued_tasks', 0)
end
for place, word in ipairs(words) do
  if place <= added then
    redis.call('SADD', word, agent)
  else
    redis.call('SREM', word, agent)
  end
end
return remember(answers, request, { 'registered', current, digits(lease_until), next_version }, 64, 600000)
