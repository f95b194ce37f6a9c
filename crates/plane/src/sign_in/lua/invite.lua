#!lua
-- purpose: Keeps a one-time code by its hash.
-- guarantee: It ends by itself; nothing that signs in is in the store.
-- keys:
--   invite  quorate.invite
-- args:
--   user    text     who signs in with it
--   role    text     the role that the person then has
--   ttl_ms  integer  how long it is good for
-- returns: { "invited" } | { "refused", reason, … }
-- writes: 2
-- use: now, digits, guard_type
-- layout: any

local refusal = guard_type(invite, 'hash')
if refusal then
  return refusal
end
local us, ms = now()
redis.call('HSET', invite, 'user', user, 'role', role, 'created_at', digits(us), 'expires_at', digits(ms + ttl_ms))
redis.call('PEXPIRE', invite, ttl_ms)
return { 'invited' }
