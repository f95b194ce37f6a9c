#!lua flags=allow-oom
-- purpose: Gives entries back that a consumer will not take: they are the next to be delivered.
-- guarantee: Only what is with that consumer; the delivery stays counted, so what nobody takes becomes a dead letter.
-- keys:
--   stream  reverie.events   or any other stream with groups
-- args:
--   group     text  the group
--   consumer  text  who gives them back
-- rest: ids
-- returns: { "nacked", count, stale… } | { "refused", reason, detail }
-- writes: 1
-- use: guard_type
-- layout: any

local refusal = guard_type(stream, 'stream')
if refusal then
  return refusal
end
local count, stale = 0, {}
for _, id in ipairs(ids) do
  local held = redis.pcall('XPENDING', stream, group, id, id, 1)
  if held.err then
    return { 'refused', 'no_group', group }
  end
  if held[1] and held[1][2] == consumer then
    redis.call('XCLAIM', stream, group, consumer, 0, id, 'IDLE', 86400000, 'JUSTID')
    count = count + 1
  else
    stale[#stale + 1] = id
  end
end
return { 'nacked', count, unpack(stale) }
