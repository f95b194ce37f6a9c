#!lua flags=allow-oom
-- purpose: Says who has a session, with the role that they have now.
-- guarantee: A session that ended, idle or by age, was closed or cut off, or hangs on a token that is gone, lets nobody
--   in from that moment on. Its use is noted once a minute.
-- keys:
--   session  ade.login_session
--   login    quorate.login
--   logins   quorate.logins
-- reaches:
--   index    ade.login_sessions_by_user
--   account  quorate.account
--   token    quorate.token
-- args:
--   hash  text  the hash of its secret
-- returns: { user, role, scopes, agent, end } | {}
-- writes: 8
-- use: now, digits, iso, shown
-- layout: plain-only, tagged counterpart check_tagged

local own = redis.call('HMGET', login, 'user', 'token', 'role', 'opened_at', 'ends_at', 'idle_ms', 'seen_at')
if not own[1] then
  return {}
end
local us, ms = now()
local user, ends = own[1], tonumber(own[5])
local person = redis.call('HMGET', account(user), 'role', 'cut_at')
local role, scopes, agent = person[1], '', ''
if own[2] ~= '' then
  local held = redis.call('HMGET', token(own[2]), 'role', 'scopes', 'agent', 'expires_at')
  local over = tonumber(held[4] or '1')
  role, scopes, agent = (over == 0 or over > ms) and held[1], held[2] or '', held[3] or ''
end
local idle = tonumber(own[7]) + tonumber(own[6]) <= ms
if not role or idle or ends <= ms or tonumber(person[2] or '0') >= tonumber(own[4])
  or redis.call('HGET', session, 'user_id') ~= user then
  redis.call('DEL', session, login)
  redis.call('ZREM', logins, hash .. ':' .. user)
  redis.call('SREM', index(user), hash)
  return {}
end
if ms - tonumber(own[7]) >= 60000 or role ~= own[3] then
  local roles, permissions = shown(role)
  local life = math.min(tonumber(own[6]), ends - ms)
  redis.call('HSET', login, 'seen_at', digits(ms), 'role', role) -- drains: fields of a record that is there
  redis.call('HSET', session, 'last_active', iso(us), 'roles', roles, 'permissions', permissions) -- drains: as above
  redis.call('PEXPIRE', login, life)
  redis.call('PEXPIRE', session, life)
  redis.call('ZADD', logins, digits(ms + life), hash .. ':' .. user) -- drains: it replaces a score
end
return { user, role, scopes, agent, digits(ends) }
