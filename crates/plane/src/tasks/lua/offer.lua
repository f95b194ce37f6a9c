-- purpose: Puts an event into the feed that a service offers to the studio, once.
-- gives: offer
-- writes: 6
-- The seed's cursor is the id of the event, which two tasks may both have used; the second then gets a cursor that names its
-- task too. A marker holds the event's number in the feed, so that a page begins where its cursor says. The number is the
-- first thing that a script writes, after all its checks: where the counter holds another type, nothing has been written. It
-- gives a function that writes the rest, or a refusal.
local function offer(feed, state, marks, cursors, maxlen, ttl)
  local which = redis.call('EXISTS', marks[1]) == 0 and 1 or 2
  if which == 2 and redis.call('EXISTS', marks[2]) == 1 then
    return function() end
  end
  local count = redis.pcall('HINCRBY', state, 'seq', 1)
  if type(count) == 'table' then
    return nil, { 'refused', 'wrong_type', state }
  end
  return function(fields, event)
    local number = string.format('%.0f', count)
    local length = redis.call('LPUSH', feed,
      '{"cursor":' .. cursors[which] .. fields .. ',"payload":' .. event .. ',"seq":' .. number .. '}')
    if length > maxlen then
      redis.call('LTRIM', feed, 0, maxlen - 1)
    end
    if ttl > 0 then
      redis.call('EXPIRE', feed, ttl)
    end
    if ttl > 0 then
      redis.call('SET', marks[which], '#' .. number, 'EX', ttl)
    else
      redis.call('SET', marks[which], '#' .. number)
    end
  end
end
