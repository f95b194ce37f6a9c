#!lua
-- purpose: Runs a script of the caller's only if the fence it names is the lock's current one.
-- guarantee: A holder whose hold lapsed or passed on changes nothing: the check and the script are one step. One that cannot be read has changed nothing.
-- keys:
-- keys-rest: targets foreign.key   the caller's own
-- reaches:
--   state      quorate.lock_state
--   holds      quorate.lock_holds
--   record_of  quorate.agent
-- args:
--   ref     text  the lock
--   fence   text  the fence the caller holds
--   source  text  the script, which finds its keys and arguments where every script does
-- rest: words
-- returns: { "ran", what it returns } | { "invalid", why } | { "failed", why } | { "refused", "stale_fence", the current fence }
-- writes: 3
-- use: now, digits, load, living, current
-- layout: plain-only, tagged counterpart guard_script_tagged

local _, ms = now()
local lock = load(ref, ms)
if not is_current(lock, fence, ms) then
  return { 'refused', 'stale_fence', digits(lock.f) }
end
-- On the first line, so that its own lines keep their numbers.
local body, why = loadstring('local KEYS, ARGV = ... ' .. source, '=script')
if not body then
  return { 'invalid', why }
end
local done, reply = pcall(body, targets, words)
local fault = type(reply) == 'table' and reply.err or not done and (type(reply) == 'string' and reply or 'it failed without a word')
if fault then
  return { 'failed', fault }
end
return { 'ran', reply }
