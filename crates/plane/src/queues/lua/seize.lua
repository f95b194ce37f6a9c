-- purpose: The short way to items: straight from the seed's list, when nothing else of the queue is due.
-- gives: seize
-- writes: 4
-- Gives the items as they are, behind a line `= ENDS FENCE` with the end of their leases and the fence before the first; or a
-- refusal, or nothing. The claim of the item at place N is `SALT.N`. One command for all items of a call.
local function seize(queue, list, wanted, us, ms, verdict)
  local items = redis.pcall('RPOP', list, wanted)
  if not items then
    return nil
  end
  if items.err then
    return nil, { 'refused', 'wrong_type', list }
  end
  local count, form = #items, string.format
  local last, ends = last_fence(queue, count, us) - count, form('%.0f', ms + lease_ms)
  local owner, tail, before = lease_ms .. ' ' .. agent .. ' 1 - - - - ', '.' .. agent, queue .. ' '
  local records, marks, held_by, got = {}, {}, {}, { verdict .. ' = ' .. ends .. ' ' .. form('%.0f', last) }
  for i = 1, count do
    local fence, claim, item = form('%.0f', last + i), salt .. '.' .. i, items[i]
    local mark = fence .. '.' .. claim .. tail
    records[2 * i - 1], records[2 * i] = claim, owner .. fence .. ' ' .. item
    marks[2 * i - 1], marks[2 * i] = ends, mark
    held_by[2 * i - 1], held_by[2 * i] = ends, before .. mark
    got[i + 1] = item
  end
  redis.call('HSET', claims(queue), unpack(records))
  redis.call('ZADD', agenda(queue), unpack(marks))
  redis.call('ZADD', held(agent), unpack(held_by))
  return got
end
