#!lua
-- purpose: Takes an observation of a task.
-- guarantee: History, feed and marker, all of them or none, and once for each content.
-- keys:
--   history  relayna.observation_history
--   marker   relayna.observation_event
--   feed     relayna.feed
--   state    quorate.feed_state
--   offered  relayna.feed_event   by the cursor that the seed's clients give it
--   doubly   relayna.feed_event   by the cursor that names the task too
-- args:
--   event     json     the observation, without its last brace
--   timed     text     whether it says when it was made
--   offer_as  json     what the feed says of it, as further fields of an object
--   cursor    json     its cursor in the feed
--   longer    json     its cursor where another event has used that one
--   maxlen    integer  most observations of the history
--   ttl       integer  seconds until the store forgets, 0 for never
--   feed_len  integer  most events of the feed
--   feed_ttl  integer  seconds until the feed forgets, 0 for never
-- returns: "accepted" | "duplicate" | { "refused", reason, detail }
-- writes: 11
-- use: now, iso, guard_type, offer
-- layout: plain-only, tagged counterpart observe_tagged

if redis.call('EXISTS', marker) == 1 then
  return guard_type(marker, 'string') or 'duplicate'
end
local refusal = guard_type(history, 'list') or guard_type(feed, 'list')
if refusal then
  return refusal
end
local put, wrong = offer(feed, state, { offered, doubly }, { cursor, longer }, feed_len, feed_ttl)
if wrong then
  return wrong
end
local us = now()
local time = timed == '' and ',"timestamp":"' .. iso(us) .. '"' or ''
local whole = event .. time .. '}'
if redis.call('LPUSH', history, whole) > maxlen then
  redis.call('LTRIM', history, 0, maxlen - 1)
end
if ttl > 0 then
  redis.call('EXPIRE', history, ttl)
end
put(offer_as .. time, whole, true)
if ttl > 0 then
  redis.call('SET', marker, '1', 'EX', ttl)
else
  redis.call('SET', marker, '1')
end
return 'accepted'
