-- purpose: The short way to items: straight from the seed's list, when nothing else of the queue is due.
-- gives: seize
-- writes: 4
-- Gives what was claimed, a refusal, or nothing. One command for all items of a call, whatever their number.
local function seize(queue, list, wanted, us, ms)
  local items = redis.pcall('RPOP', list, wanted)
  if not items then
    return nil
  end
  if items.err then
    return nil, { 'refused', 'wrong_type', list }
  end
  local count = #items
  local last, ends = last_fence(queue, count, us) - count, string.format('%.0f', ms + lease_ms)
  local owner, tail = lease_ms .. ' ' .. agent .. ' ', '.' .. agent
  local records, marks, held_by, got = {}, {}, {}, {}
  for i = 1, count do
    local fence, claim = string.format('%.0f', last + i), salt .. '.' .. i
    local record, mark = '1 - - - - ' .. fence .. ' ' .. items[i], fence .. '.' .. claim .. tail
    records[2 * i - 1], records[2 * i] = claim, owner .. record
    marks[2 * i - 1], marks[2 * i] = ends, mark
    held_by[2 * i - 1], held_by[2 * i] = ends, queue .. ' ' .. mark
    got[i] = queue .. ' ' .. ends .. ' ' .. claim .. ' ' .. record
  end
  redis.call('HSET', claims(queue), unpack(records))
  redis.call('ZADD', agenda(queue), unpack(marks))
  redis.call('ZADD', held(agent), unpack(held_by))
  return got
end
