#!lua
-- purpose: Raises a counter.
-- guarantee: There are never more counters than the cap; a value that is no number is left as it is.
-- keys:
--   counter   reverie.counter
--   counters  quorate.counters
--   setting   ade.config
-- args:
--   name  text  the counter
--   by    text  how much, a whole number
-- returns: { "raised", value } | { "refused", reason, … }
-- writes: 2
-- use: guard_type
-- layout: plain-only, tagged counterpart incr_tagged

local refusal = guard_type(counter, 'string') or guard_type(counters, 'set')
if refusal then
  return refusal
end
local known = redis.call('SISMEMBER', counters, name) == 1
if not known then
  local kept = redis.pcall('GET', setting)
  local cap = tonumber(type(kept) == 'string' and kept or '') or 1000
  if redis.call('SCARD', counters) >= cap then
    return { 'refused', 'too_many_counters', string.format('%.0f', cap) }
  end
end
-- The server counts in 64 bits; its answer as a Lua number would lose digits, so the text is read again.
if type(redis.pcall('INCRBY', counter, by)) == 'table' then
  return { 'refused', 'no_number', name }
end
if not known then
  redis.call('SADD', counters, name)
end
return { 'raised', redis.call('GET', counter) }
