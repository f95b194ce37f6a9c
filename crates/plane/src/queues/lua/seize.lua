-- purpose: The short way to items: straight from the seed's list, when nothing else of the queue is due.
-- gives: seize
-- writes: 5
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
  local top, ends = last_fence(queue, count, us), form('%.0f', ms + lease_ms)
  local last = (top or count) - count
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
  local wrong = not top and state(queue)
  if top and type(redis.pcall('HSET', claims(queue), unpack(records))) ~= 'number' then -- drains: it moves what is there
    wrong = claims(queue)
  elseif top and type(redis.pcall('ZADD', held(agent), unpack(held_by))) ~= 'number' then -- drains: as above
    wrong = held(agent)
    for i = 1, count do
      redis.call('HDEL', claims(queue), records[2 * i - 1])
    end
  end
  if wrong then
    put_back(queue, list, items, top, us)
    return nil, { 'refused', 'wrong_type', wrong }
  end
  redis.call('ZADD', agenda(queue), unpack(marks)) -- drains: as above
  return got
end
