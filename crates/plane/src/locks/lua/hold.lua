-- purpose: The record of a lock that one agent takes for itself alone, and the agent's list of what it holds.
-- gives: was_free, hold_text, keep_hold, list_holds
-- writes: 3
-- Whether nobody holds a lock and nobody waits for it, as its record says: the last fence, and who had it. What was released
-- is still in the record, and the seed's key no longer shows it, which the caller has still to look at. A task or a resource that
-- lapsed has still to be told of, so the long way takes it.
local function was_free(text, seed, ade, ms)
  if not text then
    return '0', '-'
  end
  local form, last, key, lapse, released = text:match('^([fh]) (%d+) (%S+) (%d+) (%S+)')
  if form == 'f' then
    return last, released
  elseif form == 'h' and key == seed and (not ade or tonumber(lapse) > ms) then
    return last, last .. ',' .. released
  end
end
-- Gives the fence, and the record with it.
local function hold_text(us, clock, last, released, seed, lapse, agent, current, request, ttl, purpose)
  local fence = clock
  if tonumber(last) >= us then
    fence = string.format('%.0f', last + 1)
  end
  return fence, 'h ' .. fence .. ' ' .. seed .. ' ' .. lapse .. ' ' .. agent .. ' x ' .. current .. ' ' .. clock .. ' '
    .. request .. ' ' .. ttl .. ' 0 0 0 ' .. released .. ' ' .. purpose
end
-- Gives the fence.
local function keep_hold(kept, ...)
  local fence, text = hold_text(...)
  redis.call('SET', kept, text, 'PX', '604800000')
  return fence
end
-- Lists what was taken, each with its end before it. A release leaves a lock in
-- its agent's list, where it counts for nothing; what has lapsed there is forgotten in turn. Not so a task or a resource: that
-- it is listed says that its end has still to be told of, and whoever tells of it takes it out. Gives nothing, and has done
-- nothing, where the list is a key of another type.
local function list_holds(held, us, clock, taken)
  if type(redis.pcall('ZADD', held, unpack(taken))) ~= 'number' then
    return nil
  end
  if us % 64 >= #taken / 2 then
    return true
  end
  local gone = {}
  for _, member in ipairs(redis.call('ZRANGEBYSCORE', held, '-inf', clock:sub(1, -4), 'LIMIT', '0', '256')) do
    local kind = member:sub(1, 5)
    if kind ~= 'task:' and kind ~= 'resou' then
      gone[#gone + 1] = member
    end
  end
  if gone[1] then
    redis.call('ZREM', held, unpack(gone))
  end
  return true
end
