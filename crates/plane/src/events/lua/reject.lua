#!lua flags=allow-oom
-- purpose: Puts an observation that failed with the dead ones, and takes it from the group that had it.
-- guarantee: It is in one place at any moment; somebody else's observation is left alone.
-- keys:
--   stream  reverie.pending_observations
--   dead    reverie.dead_observations
-- args:
--   group     text     the group
--   consumer  text     who rejects it
--   id        text     the entry
--   reason    text     why
--   cap       integer  most entries of the dead ones
-- returns: { "rejected", id } | { "refused", reason, detail }
-- writes: 2
-- use: now, iso, guard_type
-- layout: plain-only, tagged counterpart reject_tagged

local us = now()
local refusal = guard_type(stream, 'stream') or guard_type(dead, 'stream')
if refusal then
  return refusal
end
local held = redis.pcall('XPENDING', stream, group, id, id, 1)
if held.err then
  return { 'refused', 'no_group', group }
end
local entry = redis.call('XRANGE', stream, id, id)[1]
if not held[1] or not entry or held[1][2] ~= consumer then
  return { 'refused', 'not_yours', held[1] and held[1][2] or 'nobody' }
end
if redis.call('XLEN', dead) >= cap then
  return { 'refused', 'full', string.format('%.0f', cap) }
end
local fields = entry[2]
for _, word in ipairs({ 'reason', reason, 'original_id', id, 'group', group, 'deliveries', held[1][4], 'at', iso(us) }) do
  fields[#fields + 1] = word
end
local kept = redis.call('XADD', dead, '*', unpack(fields)) -- drains: it leaves the group
redis.call('XACK', stream, group, id)
return { 'rejected', kept }
