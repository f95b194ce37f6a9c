#!lua
-- purpose: Notes that somebody was told of the failures that were gathered.
-- guarantee: All of them are marked and nothing is pending any more, in one step; only for whoever has the turn.
-- keys:
--   lock     relayna.notice_lock
--   pending  relayna.notice_pending
-- keys-rest: marks relayna.notice_sent   of each failure
-- args:
--   token  text     who has the turn
--   old    json     what was sent
--   ttl    integer  seconds until a failure may be told of again
-- returns: { "sent" } | { "refused", reason, … }
-- writes: 2
-- use: now, iso, guard_type
-- layout: plain-only, tagged counterpart sent_tagged

local refusal = guard_type(lock, 'string') or guard_type(pending, 'string')
for _, mark in ipairs(marks) do
  refusal = refusal or guard_type(mark, 'string')
end
if refusal then
  return refusal
end
if redis.call('GET', lock) ~= token or (redis.call('GET', pending) or '') ~= old then
  return { 'refused', 'passed_on' }
end
local us = now()
for _, mark in ipairs(marks) do
  redis.call('SET', mark, iso(us), 'EX', ttl)
end
redis.call('DEL', pending)
return { 'sent' }
