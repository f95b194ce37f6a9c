-- purpose: Writes a new session: ade's record, ours beside it, and both lists; what is gone leaves the lists.
-- gives: admission
-- writes: 8
-- The script reaches `session`, `login` and `index`, has the key `logins`, and the arguments that every opening has.
local function admission(user, role, bearing, us, ms, ends)
  local roles, permissions = shown(role)
  local life = math.min(idle_ms, ends - ms)
  for _, old in ipairs(redis.call('SRANDMEMBER', index(user), 32)) do
    if redis.call('EXISTS', session(old)) == 0 then
      redis.call('SREM', index(user), old)
    end
  end
  lapse(ms, 32)
  redis.call('HSET', session(hash), 'user_id', user, 'user_name', user, 'roles', roles, 'permissions', permissions,
    'created_at', iso(us), 'last_active', iso(us), 'ip_address', ip, 'user_agent', user_agent)
  redis.call('PEXPIRE', session(hash), life)
  redis.call('HSET', login(hash), 'user', user, 'token', bearing, 'role', role, 'opened_at', digits(us),
    'ends_at', digits(ends), 'idle_ms', digits(idle_ms), 'seen_at', digits(ms))
  redis.call('PEXPIRE', login(hash), life)
  redis.call('SADD', index(user), hash)
  redis.call('PEXPIRE', index(user), 86400000)
  redis.call('ZADD', logins, digits(ms + life), hash .. ':' .. user)
  return { 'opened', user, role, digits(ends) }
end
