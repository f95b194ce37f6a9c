#!lua
-- purpose: Registers an agent: a new incarnation, or the same one again with its epoch.
-- guarantee: An incarnation's epoch is above every earlier one's, and the earlier ones are refused from then on; what they had claimed is back on its queues.
-- keys:
--   session   reverie.session
--   index     reverie.session_index
--   presence  skynet.presence
--   context   skynet.context
--   capacity  ade.agent_capacity
--   record    quorate.agent
--   leases    quorate.agent_leases
--   answers   quorate.answers
-- reaches:
--   by_role        quorate.agents_by_role
--   by_capability  quorate.agents_by_capability
-- args:
--   request    request  the id of the call
--   agent      text     who registers
--   epoch      text     the epoch of a living incarnation that registers again, or empty for a new one
--   merged     integer  1 if the blob among the fields was made from the one in `seen`
--   seen       text     the blob the caller has seen, empty for none
--   lease_ms   integer  how long what it holds outlasts its last sign of life
--   kind       text     the agent's type for its context
--   max_tasks  text     most tasks at once, locked or claimed, or empty
--   role       text     the role it is found by, or empty for the one it has
--   count      integer  how many capabilities come first among the rest; none leaves those it has
-- rest: more
-- returns: { "registered", epoch, lease_until, version, 1 if there was an earlier incarnation } | { "refused", reason, … }
-- writes: 26
-- use: now, iso, digits, guard_type, answers, admit, beat, words, hand_back
-- layout: plain-only, tagged counterpart register_tagged

local refusal = guard_type(session, 'hash') or guard_type(index, 'zset') or guard_type(presence, 'string')
  or guard_type(context, 'hash') or guard_type(capacity, 'hash') or guard_type(record, 'hash')
  or guard_type(leases, 'zset') or guard_type(answers, 'hash')
if refusal then
  return refusal
end
local again = recall(answers, request)
if again then
  return again
end
local us, ms = now()
local known = redis.call('HMGET', record, 'epoch', 'banned', 'version', 'words', 'drain')
if known[2] then
  return { 'refused', 'banned', known[2] }
end
local same = epoch ~= ''
local refused = same and admit(record, epoch, ms)
if refused then
  return refused
end
if merged == 1 and (redis.call('HGET', session, 'blob') or '') ~= seen then
  return { 'refused', 'conflict' }
end
local capabilities, fields = {}, {}
for place, text in ipairs(more) do
  local list = place <= count and capabilities or fields
  list[#list + 1] = text
end
-- A session that is gone says nothing any more, so what it was found by goes too.
local kept = redis.call('EXISTS', session) == 1 and known[4] or ''
local words = new_words(kept, role, capabilities)
local leaves, joins = word_sets(known[4] or ''), word_sets(words)
refusal = guard_sets(leaves, guard_type) or guard_sets(joins, guard_type)
if refusal then
  return refusal
end
local current = same and epoch or digits(math.max((tonumber(known[1]) or 0) + 1, us))
local version = digits((tonumber(known[3]) or 0) + 1)
redis.call('HSET', record, 'epoch', current, 'lease_ms', digits(lease_ms), 'version', version, 'words', words)
if not same then
  hand_back(agent, ms, 1000)
  redis.call('HDEL', record, 'drain')
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
  redis.call('HSET', capacity, 'max_tasks', max_tasks)
  redis.call('HSETNX', capacity, 'active_tasks', 0)
  redis.call('HSETNX', capacity, 'queued_tasks', 0)
end
if redis.call('EXISTS', capacity) == 1 then
  local status = same and known[5] and 'draining' or 'active'
  redis.call('HSET', capacity, 'last_heartbeat', iso(us), 'status', status)
  if not same and known[1] then
    redis.call('HSET', capacity, 'active_tasks', 0, 'queued_tasks', 0)
  end
end
leave(leaves, agent)
join(joins, agent)
local before = not same and known[1] and '1' or '0'
return remember(answers, request, { 'registered', current, digits(lease_until), version, before }, 64, 600000)
