#!lua
-- purpose: Runs one write of the caller's only if the fence it names is the lock's current one.
-- guarantee: A holder whose hold lapsed or passed on changes nothing: the check and the write are one step.
-- keys:
--   target  foreign.key   the caller's own
-- reaches:
--   state      quorate.lock_state
--   holds      quorate.lock_holds
--   record_of  quorate.agent
-- args:
--   ref      text  the lock
--   fence    text  the fence the caller holds
--   command  text  SET, HSET, XADD and the like
-- rest: words
-- returns: { "written", reply } | { "invalid", why } | { "refused", "stale_fence", the current fence }
-- writes: 4
-- use: now, digits, load, living, current
-- layout: plain-only, tagged counterpart guard_tagged

local _, ms = now()
local lock = load(ref, ms)
if not is_current(lock, fence, ms) then
  return { 'refused', 'stale_fence', digits(lock.f) }
end
local reply = redis.pcall(command, target, unpack(words)) -- allow-listed by the caller
if type(reply) == 'table' and reply.err then
  return { 'invalid', reply.err }
end
if type(reply) == 'table' then
  return { 'written', reply.ok or '' }
end
return { 'written', type(reply) == 'number' and digits(reply) or reply or '' }
