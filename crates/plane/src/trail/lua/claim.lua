#!lua flags=allow-oom
-- purpose: Gives a sealer the next batch, if there is one.
-- guarantee: One sealer at a time; one that dies keeps the others waiting no longer than its lease.
-- keys:
--   trail  quorate.trail
--   head   quorate.trail_head
-- args:
--   claim     text     a random id of this sealer
--   lease_ms  integer  how long it is taken to be alive
--   most      integer  how many records a batch has at most
--   wait_ms   integer  how long a record waits for others
-- returns: { "claimed", number of the last batch, its last record, its hash } | { "nothing" } | { "refused", reason, … }
-- writes: 1
-- use: now, digits, guard_type
-- layout: plain-only, tagged counterpart claim_tagged

local refusal = guard_type(trail, 'stream') or guard_type(head, 'hash')
if refusal then
  return refusal
end
local known = redis.call('HMGET', head, 'recorded', 'sealed', 'batch', 'last', 'hash', 'claim', 'claim_until')
local waiting = (tonumber(known[1]) or 0) - (tonumber(known[2]) or 0)
local _, ms = now()
if known[6] and known[6] ~= claim and (tonumber(known[7]) or 0) > ms then
  return { 'nothing' }
end
local last = known[4] or '0-0'
local first = redis.call('XRANGE', trail, '(' .. last, '+', 'COUNT', 1)[1]
if not first or (waiting < most and ms - tonumber(first[1]:match('^%d+')) < wait_ms) then
  return { 'nothing' }
end
redis.call('HSET', head, 'claim', claim, 'claim_until', digits(ms + lease_ms)) -- drains: two small fields
return { 'claimed', known[3] or '0', last, known[5] or '' }
