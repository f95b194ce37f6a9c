#!lua flags=allow-oom
-- purpose: Ends every session of a user, and makes their codes worthless.
-- guarantee: With the first call no session and no code from before it lets anybody in, however many there are; each
--   call takes a page of them away.
-- keys:
--   account  quorate.account
--   index    ade.login_sessions_by_user
--   logins   quorate.logins
-- reaches:
--   session  ade.login_session
--   login    quorate.login
-- args:
--   user  text  whose
-- returns: { how many sessions went, how many names are left }
-- writes: 6
-- use: now, digits, guard_type
-- layout: plain-only, tagged counterpart cut_tagged

if guard_type(account, 'hash') or guard_type(index, 'set') or guard_type(logins, 'zset') then
  return redis.error_reply('WRONGTYPE a key of ' .. user .. ' holds another type')
end
local us = now()
local page = redis.call('SRANDMEMBER', index, 200)
redis.call('HSET', account, 'cut_at', digits(us)) -- drains: one field, and more goes than comes
if redis.call('HEXISTS', account, 'role') == 0 then
  redis.call('PEXPIRE', account, 604800000)
end
for _, hash in ipairs(page) do
  redis.call('DEL', session(hash), login(hash))
  redis.call('ZREM', logins, hash .. ':' .. user)
  redis.call('SREM', index, hash)
end
return { #page, redis.call('SCARD', index) }
