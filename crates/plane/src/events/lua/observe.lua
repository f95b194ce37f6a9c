#!lua
-- purpose: Lets an observation in to be consolidated, or puts it with the dead ones and says why.
-- guarantee: At the cap the sender is refused and nothing is dropped; the same observation is let in once in its window.
-- keys:
--   stream  reverie.pending_observations
--   dead    reverie.dead_observations
--   seen    reverie.seen
-- args:
--   request    text     the id of the call, kept in the entry
--   age_ms     integer  how long ago the call was first made; 0 for a first attempt
--   hash       text     of what was observed
--   window_ms  integer  how long the same observation is a duplicate
--   cap        integer  most entries of either stream
-- rest: words
-- returns: { "accepted", id } | { "rejected", id, reason } | { "refused", reason, detail }
-- writes: 7
-- use: now, iso, guard_type, survey, trim, request
-- layout: plain-only, tagged counterpart observe_tagged

local us, ms = now()
local refusal = guard_type(stream, 'stream') or guard_type(dead, 'stream') or guard_type(seen, 'zset')
if refusal then
  return refusal
end
local before_this = added_by(request, age_ms, ms, 1)
if before_this[1] then
  return { 'accepted', before_this[1] }
end
local function is_full()
  local length = redis.call('XLEN', stream)
  if length >= cap then
    local now_at, bound, groups = survey(), nil, groups_of()
    for _, group in ipairs(groups) do
      local oldest = oldest_of(now_at, group)
      bound = bound and before(bound, oldest) and bound or oldest
    end
    length = length - (bound and trim(length, bound, 0, true) or 0)
  end
  return length >= cap
end
local at = redis.call('ZSCORE', seen, hash)
local fields = words
local function add(...)
  for _, word in ipairs({ ... }) do
    fields[#fields + 1] = word
  end
end
if at and at * 1000 > ms - window_ms then
  if redis.call('XLEN', dead) >= cap then
    return { 'refused', 'full', string.format('%.0f', cap) }
  end
  add('hash', hash, 'reason', 'duplicate', 'at', iso(us), 'request', request)
  return { 'rejected', redis.call('XADD', dead, '*', unpack(fields)), 'duplicate' }
end
if is_full() then
  return { 'refused', 'full', string.format('%.0f', cap) }
end
redis.call('ZADD', seen, string.format('%.3f', us / 1000000), hash)
redis.call('ZREMRANGEBYSCORE', seen, '-inf', string.format('(%.3f', us / 1000000 - 86400))
redis.call('EXPIRE', seen, 86400)
add('ts', iso(us), 'hash', hash, 'request', request)
return { 'accepted', redis.call('XADD', stream, '*', unpack(fields)) }
