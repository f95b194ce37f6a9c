-- purpose: Trims a stream without touching what a group has yet to acknowledge.
-- gives: oldest_of, trim
-- writes: 2
-- The bound is the first entry that must stay. Whole nodes go unless `exactly`; never more than lie above what is kept.
local function oldest_of(now_at, group)
  if group.pending > 0 and now_at.first then
    local first = redis.call('XPENDING', stream, group.name, now_at.first, '+', 1)[1]
    if first then
      return first[1]
    end
  end
  local ms, seq = group.last:match('^(%d+)-(%d+)$')
  return #seq < 15 and ms .. '-' .. string.format('%.0f', seq + 1) or group.last
end
local function trim(length, bound, keep, exactly)
  if length <= keep then
    return 0
  elseif exactly then
    return redis.call('XTRIM', stream, 'MINID', '=', bound)
  end
  return redis.call('XTRIM', stream, 'MINID', '~', bound, 'LIMIT', length - keep)
end
