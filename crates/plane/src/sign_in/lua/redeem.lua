#!lua
-- purpose: Opens a session for whoever brings a one-time code.
-- guarantee: One of many that bring it gets a session; a repeat after a lost reply gets its own again.
-- keys:
--   invite  quorate.invite
--   logins  quorate.logins
-- reaches:
--   session  ade.login_session
--   login    quorate.login
--   index    ade.login_sessions_by_user
--   account  quorate.account
-- args:
--   hash        text     the hash of the session's secret
--   idle_ms     integer  how long it may lie unused
--   most_ms     integer  how long it lasts at most
--   ip          text     where the client is
--   user_agent  text     what the client says it is
-- returns: { "opened", user, role, end } | { "refused", reason, … }
-- writes: 15
-- use: now, digits, guard_type, iso, shown, lapse, admission
-- layout: plain-only, tagged counterpart redeem_tagged

local refusal = guard_type(invite, 'hash') or guard_type(logins, 'zset')
if refusal then
  return refusal
end
local code = redis.call('HMGET', invite, 'user', 'role', 'created_at', 'expires_at', 'used_by')
local us, ms = now()
local user, role = code[1], code[2]
if not user or tonumber(code[4]) <= ms then
  return { 'refused', 'no_code' }
end
if code[5] then
  local ends = code[5] == hash and redis.call('HGET', login(hash), 'ends_at')
  return ends and { 'opened', user, role, ends } or { 'refused', 'no_code' }
end
refusal = guard_type(account(user), 'hash') or guard_type(index(user), 'set') or guard_type(session(hash), 'hash')
if refusal then
  return refusal
end
if tonumber(redis.call('HGET', account(user), 'cut_at') or '0') >= tonumber(code[3]) then
  return { 'refused', 'no_code' }
end
redis.call('HSET', invite, 'used_by', hash)
redis.call('PEXPIRE', invite, 600000)
redis.call('HSET', account(user), 'role', role, 'changed_at', digits(us))
redis.call('PERSIST', account(user))
return admission(user, role, '', us, ms, ms + most_ms)
