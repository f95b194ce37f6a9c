-- purpose: Refuses at the depth cap, and says when a new item would probably be started.
-- gives: full
-- writes: 0
-- The speed is how many claims there were since the last sample; unknown while nobody claims.
local function full(depth, ms)
  local known = redis.call('HMGET', state(queue), 'f', 'sample_f', 'sample_ms')
  local claimed = (tonumber(known[1]) or 0) - (tonumber(known[2]) or tonumber(known[1]) or 0)
  local took = ms - (tonumber(known[3]) or ms)
  local starts = claimed > 0 and took > 0 and string.format('%.0f', depth * took / claimed) or 'unknown'
  return { 'refused', 'queue_full', string.format('%.0f', depth), starts }
end
