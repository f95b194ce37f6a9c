#!lua flags=allow-oom
-- purpose: Acknowledges entries, and the gap a group was told of.
-- guarantee: With a consumer named, what has passed on to another one in the meantime is not acknowledged and is named instead.
-- keys:
--   stream  reverie.events   or any other stream with groups
--   state   quorate.stream_state
-- args:
--   group     text  the group
--   consumer  text  who acknowledges; empty for anybody
-- rest: ids
-- returns: { "acked", count, stale… } | { "refused", reason, detail }
-- writes: 2
-- use: guard_type
-- layout: plain-only, tagged counterpart ack_tagged

local refusal = guard_type(stream, 'stream') or guard_type(state, 'hash')
if refusal then
  return refusal
end
local count, stale = 0, {}
for _, id in ipairs(ids) do
  local gap = id:match('^gap%-(%d+)$')
  if gap then
    local known = redis.call('HGET', state, 'm:' .. group)
    if known and known:match('(%d+)$') == gap then
      count = count + redis.call('HDEL', state, 'm:' .. group)
    end
  else
    local held = redis.pcall('XPENDING', stream, group, id, id, 1)
    if held.err then
      return { 'refused', 'no_group', group }
    end
    if held[1] and consumer ~= '' and held[1][2] ~= consumer then
      stale[#stale + 1] = id
    elseif held[1] then
      count = count + redis.call('XACK', stream, group, id)
    end
  end
end
return { 'acked', count, unpack(stale) }
