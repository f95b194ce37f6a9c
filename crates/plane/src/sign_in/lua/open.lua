#!lua
-- purpose: Opens a session for the holder of a bearer token.
-- guarantee: It hangs on the token: it ends with it, and has the role that the token has.
-- keys:
--   logins  quorate.logins
-- reaches:
--   session  ade.login_session
--   login    quorate.login
--   index    ade.login_sessions_by_user
--   token    quorate.token
-- args:
--   hash        text     the hash of the session's secret
--   idle_ms     integer  how long it may lie unused
--   most_ms     integer  how long it lasts at most
--   ip          text     where the client is
--   user_agent  text     what the client says it is
--   bearer      text     the hash of the token
-- returns: { "opened", user, role, end } | { "refused", reason, … }
-- writes: 11
-- use: now, digits, guard_type, iso, shown, lapse, admission
-- layout: plain-only, tagged counterpart open_tagged

local refusal = guard_type(logins, 'zset') or guard_type(session(hash), 'hash')
if refusal then
  return refusal
end
local us, ms = now()
local held = redis.call('HMGET', token(bearer), 'name', 'role', 'expires_at')
local user, role, ends = held[1], held[2], tonumber(held[3])
if not user or (ends > 0 and ends <= ms) then
  return { 'refused', 'no_code' }
end
refusal = guard_type(index(user), 'set')
if refusal then
  return refusal
end
local known = redis.call('HGET', login(hash), 'ends_at')
if known then
  return { 'opened', user, role, known }
end
local last = ms + most_ms
return admission(user, role, bearer, us, ms, ends > 0 and math.min(ends, last) or last)
