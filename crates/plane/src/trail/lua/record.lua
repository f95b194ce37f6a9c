#!lua flags=allow-oom
-- purpose: Writes a record into the audit trail.
-- guarantee: One for each request, however often it is repeated; the records are numbered without a gap.
-- keys:
--   trail     quorate.trail
--   head      quorate.trail_head
--   requests  quorate.trail_requests
--   intents   quorate.trail_intents
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
-- writes: 5
-- use: now, digits, iso, guard_type, enter
-- layout: plain-only, tagged counterpart record_tagged

local refusal = guard_type(trail, 'stream') or guard_type(head, 'hash') or guard_type(requests, 'zset') or guard_type(intents, 'hash')
if refusal then
  return refusal
end
redis.call('HDEL', intents, request)
if redis.call('ZSCORE', requests, request) then
  return { 'known' }
end
local us, ms = now()
local number = enter({ trail, head, requests }, request, { who, via, action, target, result, before, after }, us, ms)
return { 'recorded', digits(number) }
