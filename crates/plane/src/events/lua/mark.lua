-- purpose: What is kept of a group between two looks.
-- gives: read_mark, keep_mark
-- writes: 1
-- `last` the last entry it got, `read` how many it had got by then, `held` how many were unacknowledged, `upto` how far destroyed pending entries are counted,
-- `seen` when it was first seen, `parked` since when it holds nothing back, and `why`.
local function read_mark(group, ms)
  local text = redis.call('HGET', state, 'g:' .. group) or ''
  local last, read, held, upto, seen, parked, why = text:match('^(%S+) (%S+) (%S+) (%S+) (%S+) (%S+) (%S+)$')
  if not last then
    return { known = false, read = -1, held = 0, upto = '-', seen = ms, parked = 0, why = '-' }
  end
  return { known = true, last = last, read = tonumber(read), held = tonumber(held), upto = upto, seen = tonumber(seen),
    parked = tonumber(parked), why = why, text = text }
end
local function keep_mark(group, mark)
  local text = mark.last .. string.format(' %.0f %.0f ', mark.read, mark.held) .. mark.upto
    .. string.format(' %.0f %.0f ', mark.seen, mark.parked) .. mark.why
  if text ~= mark.text then
    redis.call('HSET', state, 'g:' .. group, text)
  end
end
