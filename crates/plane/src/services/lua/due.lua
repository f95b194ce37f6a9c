#!lua
-- purpose: Gives out services that are due, each to one process.
-- guarantee: Of any number of processes one has a service at a time; when it is not heard from, another gets it after its time.
--   Every service of the registry comes up, whoever registered it.
-- keys:
--   all    relayna.service_index
--   turns  quorate.service_turns
-- args:
--   most      integer  how many at once
--   while_ms  integer  for how long
-- returns: { "due", id… } | { "refused", reason, detail }
-- writes: 2
-- use: now, digits, guard_type
-- layout: plain-only, tagged counterpart due_tagged

local refusal = guard_type(all, 'set') or guard_type(turns, 'zset')
if refusal then
  return refusal
end
local _, ms = now()
if redis.call('ZCARD', turns) < redis.call('SCARD', all) then
  local ids = redis.call('SMEMBERS', all)
  for place = 1, #ids do
    redis.call('ZADD', turns, 'NX', digits(ms), ids[place])
  end
end
local ids = redis.call('ZRANGEBYSCORE', turns, '-inf', digits(ms), 'LIMIT', 0, most)
for place = 1, #ids do
  redis.call('ZADD', turns, digits(ms + while_ms), ids[place])
end
table.insert(ids, 1, 'due')
return ids
