#!lua
-- purpose: Sends a dead observation to be consolidated again.
-- guarantee: One call of many that ask for it at once does it; what it was stays with it.
-- keys:
--   stream  reverie.pending_observations
--   dead    reverie.dead_observations
-- args:
--   id   text     the dead entry
--   cap  integer  most pending entries
-- returns: { "revived", id } | { "refused", reason, detail }
-- writes: 2
-- use: guard_type
-- layout: plain-only, tagged counterpart revive_tagged

local refusal = guard_type(stream, 'stream') or guard_type(dead, 'stream')
if refusal then
  return refusal
end
local entry = redis.call('XRANGE', dead, id, id)[1]
if not entry then
  return { 'refused', 'unknown_entry', id }
end
if redis.call('XLEN', stream) >= cap then
  return { 'refused', 'full', string.format('%.0f', cap) }
end
local fields = entry[2]
fields[#fields + 1] = 'revived_from'
fields[#fields + 1] = id
local revived = redis.call('XADD', stream, '*', unpack(fields))
redis.call('XDEL', dead, id)
return { 'revived', revived }
