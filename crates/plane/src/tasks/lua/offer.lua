-- purpose: Puts an event into the feed that a service offers to the studio, once.
-- gives: offer
-- writes: 6
-- The seed's cursor is the id of the event, which two tasks may both have used; the second then gets a cursor that names its
-- task too. A marker holds the event's number in the feed, so that a page begins where its cursor says. The number is the
-- first thing that a script writes, after all its checks: where the counter holds another type, nothing has been written. It
-- gives a function that writes the rest, or a refusal.
local function offer(feed, state, marks, cursors, maxlen, ttl)
  local count = redis.pcall('HINCRBY', state, 'seq', 1)
  if type(count) == 'table' then
    return nil, { 'refused', 'wrong_type', state }
  end
  local number = string.format('%.0f', count)
  local function mark(which)
    if ttl > 0 then
      return redis.call('SET', marks[which], '#' .. number, 'NX', 'EX', ttl)
    end
    return redis.call('SET', marks[which], '#' .. number, 'NX')
  end
  return function(fields, event, renew)
    local which = mark(1) and 1 or mark(2) and 2
    if not which then
      return
    end
    local length = redis.call('LPUSH', feed,
      '{"cursor":' .. cursors[which] .. fields .. ',"payload":' .. event .. ',"seq":' .. number .. '}')
    if length > maxlen then
      redis.call('LTRIM', feed, 0, maxlen - 1)
    end
    if ttl > 0 and (renew or length == 1) then
      redis.call('EXPIRE', feed, ttl)
    end
  end
end
