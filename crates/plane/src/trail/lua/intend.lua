#!lua flags=allow-oom
-- purpose: Notes a change that is about to be made.
-- guarantee: Whoever makes it and dies leaves this note, and the trail gets a record from it.
-- keys:
--   intents   quorate.trail_intents
--   requests  quorate.trail_requests
-- args:
--   request  text  the id of the request
--   who      text  who does it
--   via      text  by which way
--   action   text  what
--   target   text  to what
--   result   text  how it ended, as far as is known
--   before   text  what it was, or empty
--   after    text  what was asked, or empty
-- returns: { "noted", before } | { "refused", reason, … }
-- writes: 1
-- use: now, digits, guard_type
-- layout: plain-only, tagged counterpart intend_tagged

local refusal = guard_type(intents, 'hash') or guard_type(requests, 'zset')
if refusal then
  return refusal
end
local _, ms = now()
-- A later attempt at the same request may see what the first one did.
local earlier = redis.call('HGET', intents, request)
before = earlier and cmsgpack.unpack(earlier)[7] or before
if not redis.call('ZSCORE', requests, request) then
  redis.call('HSET', intents, request, cmsgpack.pack({ digits(ms), who, via, action, target, result, before, after })) -- drains: it goes with its record
end
return { 'noted', before }
