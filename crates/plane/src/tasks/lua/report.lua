#!lua
-- purpose: Takes a status event of a task.
-- guarantee: History, record, children, channel, feed and marker, all of them or none, and once for each event. An event that
--   is older than the one that counts, or that comes after the end, is kept behind it and never takes its place, also where
--   another client wrote the one that counts.
-- keys:
--   history  relayna.status_history
--   marker   relayna.status_event
--   channel  relayna.status_channel
--   record   quorate.task_report
--   recent   quorate.task_recent
--   feed     relayna.feed
--   state    quorate.feed_state
--   offered  relayna.feed_event   by the cursor that the seed's clients give it
--   doubly   relayna.feed_event   by the cursor that names the task too
-- keys-rest: kin relayna.children   of the parent, if it has one
-- reaches:
--   ancestor  quorate.task_report
-- args:
--   store      text     the prefix of the store
--   task       text     the task
--   event      json     the event, without its last brace
--   status     text     its status
--   timed      text     when it happened, in Unix microseconds; empty where it does not say
--   attempt    integer  which attempt it belongs to
--   final      text     whether its status ends the task
--   parent     text     the parent it names, or empty
--   offer_as   json     what the feed says of it, as further fields of an object
--   cursor     json     its cursor in the feed
--   longer     json     its cursor where another task has used that one
--   maxlen     integer  most events of the history
--   ttl        integer  seconds until the store forgets, 0 for never
--   feed_len   integer  most events of the feed
--   feed_ttl   integer  seconds until the feed forgets, 0 for never
--   most       integer  most children of one task
-- returns: "accepted SEQ FLAG KIN" | "duplicate SEQ" | { "refused", reason, detail }
-- writes: 22
-- use: now, iso, guard_type, instant, ours, reported, standing, offer
-- layout: plain-only, tagged counterpart report_tagged

if redis.call('EXISTS', marker) == 1 then
  return guard_type(marker, 'string') or 'duplicate ' .. redis.call('GET', marker)
end
local known = redis.pcall('HMGET', record, 'seq', 'attempt', 'ended', 'at', 'parent', 'listed')
if known.err then
  return { 'refused', 'wrong_type', record }
end
local us, ms = now()
-- Its place in the list, and how long everything is kept, are renewed once a second, however often it reports.
local relist = ms - (tonumber(known[6]) or 0) >= (ttl > 0 and math.min(1000, ttl * 100) or 1000)
local refusal = guard_type(feed, 'list') or (relist and guard_type(recent, 'zset')) or (kin[1] and guard_type(kin[1], 'set'))
-- The head says at once whether there is a list, and whether another client has put something on top.
local head = redis.pcall('LINDEX', history, 0)
refusal = type(head) == 'table' and guard_type(history, 'list') or refusal
if refusal then
  return refusal
end
local theirs = head and reported(head, known[1] and known)
local seq = (tonumber(known[1]) or redis.call('LLEN', history)) + 1
-- A clock that is ahead would make everything of the others late.
local at = math.min(tonumber(timed) or us, us)
local flag = place_of(theirs or (known[1] and known), attempt, final, at)
local listed = '-'
if kin[1] and known[5] and known[5] ~= parent then
  listed = 'other'
elseif kin[1] then
  local above = known[5] and '' or parent
  for _ = 1, 64 do
    if above == task then
      return { 'refused', 'cycle', parent }
    end
    local found = above ~= '' and redis.pcall('HGET', ancestor(store .. ':' .. above), 'parent')
    above = type(found) == 'string' and found or ''
  end
  if above ~= '' then
    return { 'refused', 'too_deep', '64' }
  end
  local room = redis.call('SCARD', kin[1]) < most or redis.call('SISMEMBER', kin[1], task) == 1
  listed = room and 'listed' or 'full'
end
local expired = seq == 1 and ttl > 0
  and redis.call('ZRANGEBYSCORE', recent, '-inf', string.format('%.0f', ms - ttl * 1000), 'LIMIT', 0, 8) or {}
local put, wrong = offer(feed, state, { offered, doubly }, { cursor, longer }, feed_len, feed_ttl)
if wrong then
  return wrong
end

local number = string.format('%.0f', seq)
local time = timed == '' and ',"timestamp":"' .. iso(us) .. '"' or ''
local whole = event .. time .. ',"seq":' .. number .. (flag ~= 'latest' and ',"' .. flag .. '":true}' or '}')
local behind = head and flag ~= 'latest'
local length = behind and redis.call('LINSERT', history, 'AFTER', head, whole) or redis.call('LPUSH', history, whole)
if length > maxlen then
  redis.call('LTRIM', history, 0, maxlen - 1)
end
local time_ms = string.format('%.0f', ms)
local said = standing(number, relist and time_ms, attempt, final, at, status)
if flag ~= 'latest' then
  said = theirs and standing(number, relist and time_ms, theirs[2], theirs[3] == '1' and '1' or '', theirs[4], theirs[5])
    or standing(number, relist and time_ms)
end
if listed == 'listed' then
  redis.call('SADD', kin[1], task)
  said[#said + 1], said[#said + 2] = 'parent', parent
end
redis.call('HSET', record, unpack(said))
if ttl > 0 and (relist or length == 1) then
  redis.call('EXPIRE', history, ttl)
  redis.call('EXPIRE', record, ttl)
end
if ttl > 0 and listed == 'listed' then
  redis.call('EXPIRE', kin[1], ttl)
end
if #expired > 0 then
  redis.call('ZREM', recent, unpack(expired))
end
if relist then
  redis.call('ZADD', recent, time_ms, task)
end
put(offer_as .. time, whole, relist)
redis.call('PUBLISH', channel, whole)
if ttl > 0 then
  redis.call('SET', marker, '#' .. number, 'EX', ttl)
else
  redis.call('SET', marker, '#' .. number)
end
return 'accepted ' .. number .. ' ' .. flag .. ' ' .. listed
