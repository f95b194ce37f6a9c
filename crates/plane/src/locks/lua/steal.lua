#!lua
-- purpose: Breaks a lock of a foreign client that is gone, by reverie's rule.
-- guarantee: Only for an agent that may act, and only if its owner is stale, the lock has no expiry left to wait for and was there for ten minutes; the record of it comes first.
-- keys:
--   seed     reverie.lock      or project_lock, ade.task_lock, ade.resource_lock
--   session  reverie.session   the owner's
--   audit    reverie.events
--   record   quorate.agent     of who breaks it
-- reaches:
--   state  quorate.lock_state
--   holds  quorate.lock_holds
-- args:
--   ref    text  the lock
--   agent  text  who breaks it
--   epoch  text  its epoch, or empty for the current one
--   owner  text  who is said to hold it
-- returns: { "stolen", owner } | { "refused", reason, detail }
-- writes: 6
-- use: now, digits, iso, guard_type, admit, load, foreign
-- layout: plain-only, tagged counterpart steal_tagged

local us, ms = now()
local kind = (ref:find('^task:') or ref:find('^resource:')) and 'hash' or 'string'
local refusal = guard_type(seed, kind) or guard_type(audit, 'stream') or guard_type(session, 'hash') or (admit(record, epoch, ms))
if refusal then
  return refusal
end
local lock = load(ref, ms)
for _, hold in ipairs(lock.h) do
  if hold.u > ms then
    return { 'refused', 'not_stealable', 'it passes on by itself when its lease ends' }
  end
end
local found, lapses = foreign(ref, lock, seed, ms)
if not found or found ~= owner then
  return { 'refused', 'not_stealable', found and 'its owner is ' .. found or 'nobody holds it' }
end
if lapses > 0 then
  return { 'refused', 'not_stealable', 'it lapses by itself' }
end
if lock.z ~= owner or ms - lock.zt < 600000 then
  if lock.z ~= owner then
    lock.z, lock.zt = owner, ms
    save(ref, lock)
  end
  return { 'refused', 'not_stealable', 'it was first seen less than ten minutes ago' }
end
local heard = redis.call('HMGET', session, 'last_acked_at', 'last_heartbeat')
local last = tonumber(heard[1] or heard[2] or '0')
if ms - last * 1000 <= 300000 then
  return { 'refused', 'not_stealable', 'its owner was heard from within five minutes' }
end
redis.call('XADD', audit, '*', 'event', 'lock.stolen', 'ts', iso(us), 'actor', agent, 'target', ref, 'owner', owner)
redis.call('DEL', seed)
lock.z = nil
save(ref, lock)
return { 'stolen', owner }
