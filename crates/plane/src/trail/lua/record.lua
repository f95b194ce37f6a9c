#!lua flags=allow-oom
-- purpose: Writes a record into the audit trail.
-- guarantee: One for each request, however often it is repeated; the records are numbered without a gap.
-- keys:
--   trail     quorate.trail
--   head      quorate.trail_head
--   requests  quorate.trail_requests
-- args:
--   request  text  the id of the request
--   who      text  who did it
--   via      text  by which way
--   action   text  what
--   target   text  to what
--   result   text  how it ended
--   before   text  what it was, or empty
--   after    text  what it is now, or empty
-- returns: { "recorded", number } | { "known" } | { "refused", reason, … }
-- writes: 4
-- use: now, digits, iso, guard_type
-- layout: plain-only, tagged counterpart record_tagged

local refusal = guard_type(trail, 'stream') or guard_type(head, 'hash') or guard_type(requests, 'zset')
if refusal then
  return refusal
end
if redis.call('ZSCORE', requests, request) then
  return { 'known' }
end
local us, ms = now()
local old = redis.call('ZRANGEBYSCORE', requests, '-inf', digits(ms - 172800000), 'LIMIT', 0, 20)
local number = redis.call('HINCRBY', head, 'recorded', 1) -- drains: a number that is there
redis.call('XADD', trail, '*', 'n', digits(number), 'at', iso(us), 'who', who, 'via', via, 'action', action, -- drains: what is done to a full server must be known
  'target', target, 'before', before, 'after', after, 'request', request, 'result', result)
redis.call('ZADD', requests, digits(ms), request) -- drains: as above, and the old ones leave
if #old > 0 then
  redis.call('ZREM', requests, unpack(old))
end
return { 'recorded', digits(number) }
