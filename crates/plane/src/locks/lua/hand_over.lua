-- purpose: The common way to pass a lock on: one exclusive hold ends, and the first in line waits for all of it.
-- gives: hand_over
-- writes: 8
-- It gives the grant if the waiter is of the process that asks, which then needs no message, and an empty text if not; or
-- nothing, and has written nothing, where there is more to do: the long way does it. A ring cannot be closed here, since
-- whoever gets the lock waits for nothing else, or only in this line.
local function waits_elsewhere(who)
  local count = redis.call('HLEN', waits(who))
  if count > 500 then
    return true
  end
  for _, other in ipairs(count > 1 and redis.call('HVALS', waits(who)) or {}) do
    if other ~= ref then
      return true
    end
  end
  return false
end
local function hand_over(us, ms, clock, text, shown)
  local last, key, holder, length, arrival =
    text:match('^q (%d+) (%S+) %d+ (%S+) x %d+ %d+ %S+ %d+ %d+ (%d+) (%S+) ')
  local request = last == fence and key == seed and holder == agent and redis.call('ZRANGE', order(ref), '0', '0')[1]
  local waiter = request and redis.call('HGET', waiters(ref), request)
  if not waiter then
    return nil
  end
  local who, epoch, ttl, deadline, process, asked, wanted, purpose =
    waiter:match('^w (%S+) (%d+) x (%d+) (%d+) %S+ %d+ (%S+) (%d+) %d+ 0 (%S+) (.*)$')
  if wanted ~= seed or tonumber(deadline) <= ms or (asked ~= '0' and asked + 5000 <= ms) or not taking(who, epoch, ms)
    or shown ~= agent or (detect == 1 and waits_elsewhere(who))
    or (process ~= here and not hears(process, tonumber(asked), ms)) then
    return nil
  end
  local granted, lapse, left = clock, string.format('%.0f', ms + ttl), length - 1
  if tonumber(last) >= us then
    granted = string.format('%.0f', last + 1)
  end
  -- First, since it fails by itself, with nothing done, if the events are no stream.
  redis.call('XADD', events('lock'), '*', 'event', 'lock:promoted', 'timestamp', iso(us), -- drains: history, trimmed by age
    'payload', '{"lock":"' .. ref .. '","agent_id":"' .. who .. '","fence":"' .. granted .. '"}', 'source', 'quorate')
  redis.call('ZREM', order(ref), request)
  redis.call('HDEL', waiters(ref), request)
  redis.call('HDEL', waits(who), request)
  redis.call('SET', seed, who, 'PX', ttl) -- drains: it replaces a value
  redis.call('ZADD', holds(who), lapse, ref .. ' x') -- drains: the line is shorter by one
  redis.call('SET', kept, (left > 0 and 'q ' or 'h ') .. granted .. ' ' .. seed .. ' ' .. lapse .. ' ' .. who .. ' x ' .. epoch .. ' '
    .. clock .. ' ' .. request .. ' ' .. ttl .. ' 0 ' .. left .. ' ' .. arrival .. ' ' .. fence .. ',' .. agent .. ' ' .. purpose,
    'PX', '604800000') -- drains: it replaces a value
  local grant = request .. ' ' .. granted .. ' ' .. lapse
  if process ~= '-' and process == here then
    return ' ' .. grant
  elseif process ~= '-' then
    redis.call('PUBLISH', wakes(process), grant)
  end
  return ''
end
