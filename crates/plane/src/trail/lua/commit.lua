#!lua flags=allow-oom
-- purpose: Puts a seal on a batch.
-- guarantee: Only on the end of the chain that the sealer started from, and only by the sealer that has the claim; so a
--   record is sealed once, and the chain has no branch.
-- keys:
--   seals  quorate.trail_seals
--   head   quorate.trail_head
-- args:
--   claim     text     which sealer
--   batch     integer  the number of the batch
--   first     text     its first record
--   last      text     its last record
--   count     integer  how many records it has
--   previous  text     the hash of the batch before it
--   hash      text     its hash
--   none      text     the hash that stands before the first batch
-- returns: { "sealed" } | { "overtaken" } | { "refused", reason, … }
-- writes: 3
-- use: now, digits, iso, guard_type
-- layout: plain-only, tagged counterpart commit_tagged

local refusal = guard_type(seals, 'stream') or guard_type(head, 'hash')
if refusal then
  return refusal
end
local known = redis.call('HMGET', head, 'claim', 'batch', 'hash', 'sealed')
if known[1] ~= claim or (tonumber(known[2]) or 0) ~= batch - 1 or (known[3] or none) ~= previous then
  return { 'overtaken' }
end
local us = now()
redis.call('XADD', seals, '*', 'batch', digits(batch), 'first', first, 'last', last, 'count', digits(count), -- drains: one for many records
  'previous', previous, 'hash', hash, 'at', iso(us))
redis.call('HSET', head, 'batch', digits(batch), 'last', last, 'hash', hash, -- drains: it replaces values
  'sealed', digits((tonumber(known[4]) or 0) + count))
redis.call('HDEL', head, 'claim', 'claim_until')
return { 'sealed' }
