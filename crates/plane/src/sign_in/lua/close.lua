#!lua flags=allow-oom
-- purpose: Ends one session.
-- guarantee: It lets nobody in from then on, and is in no list.
-- keys:
--   logins  quorate.logins
-- reaches:
--   session  ade.login_session
--   login    quorate.login
--   index    ade.login_sessions_by_user
-- args:
--   hash  text  the hash of its secret
-- returns: 1 if there was one, else 0
-- writes: 3
-- use: guard_type
-- layout: plain-only, tagged counterpart close_tagged

local user = redis.call('HGET', login(hash), 'user')
if not user and not guard_type(session(hash), 'hash') then
  user = redis.call('HGET', session(hash), 'user_id')
end
local gone = redis.call('DEL', session(hash), login(hash))
-- Another client may have written anything as its user; only a name can have a list.
if user and not user:find('[^A-Za-z0-9._@+-]') and not guard_type(index(user), 'set') and not guard_type(logins, 'zset') then
  redis.call('ZREM', logins, hash .. ':' .. user)
  redis.call('SREM', index(user), hash)
end
return gone > 0 and 1 or 0
