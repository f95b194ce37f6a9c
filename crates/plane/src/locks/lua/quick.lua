-- purpose: The short way to a lock: nobody holds it and nobody waits for it.
-- gives: quick, list_holds
-- writes: 5
-- Gives the fence and the end of the hold; or nothing, and has written nothing, where there is more to do: the long way does
-- it. What was released is still in the record, and the seed's key no longer shows it. A task or a resource that lapsed
-- has still to be told of.
local function quick(us, ms, clock, current, request, ref, agent, ttl, purpose, seed, kept, text, most)
  local form, last, key, lapse, released = 'f', '0', nil, nil, '-'
  if text then
    form, last, key, lapse, released = text:match('^([fh]) (%d+) (%S+) (%d+) (%S+)')
  end
  local kind = ref:sub(1, 5)
  local ade = kind == 'task:' or kind == 'resou'
  if form == 'h' and key == seed and (not ade or tonumber(lapse) > ms) then
    released = last .. ',' .. released
  elseif form ~= 'f' then
    return nil
  end
  lapse = string.format('%.0f', ms + ttl)
  if not ade then
    if not redis.call('SET', seed, agent, 'NX', 'PX', ttl) then
      return nil
    end
  -- The first write fails by itself, with nothing done, if the registry is no sorted set; the long way then says so.
  elseif (most and kind == 'task:') or redis.pcall('HLEN', seed) ~= 0
    or type(redis.pcall('SCARD', index_of(agent))) ~= 'number' or type(redis.pcall('XLEN', events('lock'))) ~= 'number'
    or type(redis.pcall('ZADD', registry(), lapse:sub(1, -4) .. '.' .. lapse:sub(-3), seed)) ~= 'number' then
    return nil
  end
  local fence = clock
  if tonumber(last) >= us then
    fence = string.format('%.0f', last + 1)
  end
  redis.call('SET', kept, 'h ' .. fence .. ' ' .. seed .. ' ' .. lapse .. ' ' .. agent .. ' x ' .. current .. ' ' .. clock .. ' '
    .. request .. ' ' .. ttl .. ' 0 0 0 ' .. released .. ' ' .. purpose, 'PX', '604800000')
  return fence, lapse
end
-- Whoever calls it lists what was taken, each with its end before it. A release leaves a lock in its agent's list, where it
-- counts for nothing; what has lapsed there is forgotten in turn. Not so a task or a resource: that it is listed says that
-- its end has still to be told of, and whoever tells of it takes it out.
local function list_holds(held, us, clock, taken)
  redis.call('ZADD', held, unpack(taken))
  if us % 64 >= #taken / 2 then
    return
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
end
