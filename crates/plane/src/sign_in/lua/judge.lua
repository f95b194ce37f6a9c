#!lua flags=allow-oom
-- purpose: Says whether the lists agree with one session, and puts them right.
-- guarantee: A session that lets somebody in is in both lists, so that it can be seen and ended; what is gone is in none.
-- keys:
--   logins  quorate.logins
-- reaches:
--   session  ade.login_session
--   login    quorate.login
--   index    ade.login_sessions_by_user
-- args:
--   hash    text     the session
--   user    text     whose list names it, or empty
--   repair  integer  1 to put the list of the user right, 2 the list of all
-- returns: { "judged", what is wrong with the user's list, what is wrong with the list of all }
-- writes: 5
-- use: digits
-- layout: plain-only, tagged counterpart judge_tagged

local own = redis.call('HMGET', login(hash), 'user', 'ends_at', 'idle_ms', 'seen_at')
local there = redis.call('EXISTS', session(hash)) == 1
local named = user ~= '' and user or own[1] or ''
local ours = there and own[1] == named
local wrong, strange = '', ''
local listed = named ~= '' and redis.call('SISMEMBER', index(named), hash) == 1
if listed and not there then
  wrong = 'it names a session that is not there'
  if repair == 1 then
    redis.call('SREM', index(named), hash)
  end
elseif ours and not listed then
  wrong = 'a session is not in it'
  if repair == 1 then
    redis.call('SADD', index(named), hash) -- drains: an entry that was there before
    redis.call('PEXPIRE', index(named), 86400000)
  end
end
local member = hash .. ':' .. named
local score = redis.call('ZSCORE', logins, member)
if score and not ours then
  strange = 'it names a session that is not there'
  if repair == 2 then
    redis.call('ZREM', logins, member)
  end
elseif ours then
  local due = math.min(tonumber(own[2]), tonumber(own[4]) + tonumber(own[3]))
  if not score or tonumber(score) ~= due then
    strange = 'a session is not in it under the moment it ends'
    if repair == 2 then
      redis.call('ZADD', logins, digits(due), member) -- drains: an entry that was there before
    end
  end
end
return { 'judged', wrong, strange }
