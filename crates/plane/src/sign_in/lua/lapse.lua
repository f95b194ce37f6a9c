-- purpose: Takes sessions that have ended out of both lists; the sets of users have no expiry for a member.
-- gives: lapse
-- writes: 3
-- The script reaches `session`, `login` and `index`, and has the key `logins`.
local function lapse(ms, most)
  local over = redis.call('ZRANGEBYSCORE', logins, '-inf', string.format('%.0f', ms), 'LIMIT', 0, most)
  for _, member in ipairs(over) do
    local gone, whose = member:match('^([^:]+):(.+)$')
    if gone then
      redis.call('DEL', session(gone), login(gone))
      redis.call('SREM', index(whose), gone)
    end
    redis.call('ZREM', logins, member)
  end
  return #over
end
