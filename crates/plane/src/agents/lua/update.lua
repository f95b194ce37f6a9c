#!lua
-- purpose: Patches an agent's own record.
-- guarantee: All fields change or none; a change made from an old view is refused.
-- keys:
--   session   reverie.session
--   record    quorate.agent
-- args:
--   epoch    text  the caller's epoch, or empty for the current one
--   version  text  the version the caller has seen
-- rest: fields
-- returns: { "updated", version } | { "refused", reason, … }
-- writes: 2
-- use: now, digits, guard_type, admit
-- layout: any

local refusal = guard_type(session, 'hash')
if refusal then
  return refusal
end
local _, ms = now()
local refused = admit(record, epoch, ms)
if refused then
  return refused
end
local seen = redis.call('HGET', record, 'version')
if seen ~= version then
  return { 'refused', 'conflict' }
end
local next_version = digits(tonumber(seen) + 1)
redis.call('HSET', record, 'version', next_version)
redis.call('HSET', session, unpack(fields))
return { 'updated', next_version }
