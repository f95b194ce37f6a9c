#!lua flags=allow-oom
-- purpose: Takes a session that has been gone for more than an hour out of the indexes.
-- guarantee: A session that is there, or was heard from in the meantime, stays.
-- keys:
--   session   reverie.session
--   index     reverie.session_index
--   record    quorate.agent
--   capacity  ade.agent_capacity
-- reaches:
--   by_role        quorate.agents_by_role
--   by_capability  quorate.agents_by_capability
-- args:
--   agent   text     who is gone
--   before  integer  Unix seconds; a session heard from later stays
-- returns: { "pruned" } | { "kept" } | { "refused", reason, … }
-- writes: 5
-- use: guard_type, words
-- layout: plain-only, tagged counterpart prune_tagged

local refusal = guard_type(index, 'zset') or guard_type(record, 'hash') or guard_type(capacity, 'hash')
if refusal then
  return refusal
end
local heard = tonumber(redis.call('ZSCORE', index, agent))
if not heard or heard >= before or redis.call('EXISTS', session) == 1 then
  return { 'kept' }
end
local known = redis.call('HMGET', record, 'words', 'max_tasks')
local sets = word_sets(known[1] or '')
refusal = guard_sets(sets, guard_type)
if refusal then
  return refusal
end
redis.call('ZREM', index, agent)
redis.call('HDEL', record, 'words', 'max_tasks')
if known[2] then
  redis.call('DEL', capacity)
end
leave(sets, agent)
return { 'pruned' }
