-- purpose: The common way to wait: a place in the line for a lock that one exclusive hold has for itself.
-- gives: line_up
-- writes: 4
-- It gives nothing, and has written nothing, where there is more to do: the long way does it. A ring cannot be closed here,
-- since the holder waits for nothing. Whoever waits looks by itself too, so a line that is already there says enough.
local function line_up(us, ms, clock, current, text)
  local wait_ms, priority, process, detect = more:match('^0 (%d+) (%S+) (%S+) (%d)$')
  local form, hold, key, lapse, holder, length, last, rest =
    text:match('^([hq])( %d+ (%S+) (%d+) (%S+) x %d+ %d+ %S+ %d+ %d+ )(%d+) (%S+)( .*)$')
  if not form or wait_ms == '0' or process == '-' or key ~= seed or holder == agent
    or tonumber(lapse) <= ms or tonumber(last) >= us / 1000 or (form == 'h' and redis.call('GET', seed) ~= holder)
    or (detect == '1' and redis.call('EXISTS', waits(holder)) == 1) then
    return nil
  end
  local whole, place = clock:sub(1, -4), string.format('%.0f', length + 1)
  local arrival = whole .. '.' .. clock:sub(-3)
  local waiter = 'w ' .. agent .. ' ' .. current .. ' x ' .. ttl .. ' ' .. string.format('%.0f', ms + wait_ms) .. ' ' .. priority
    .. ' ' .. clock .. ' ' .. process .. ' ' .. whole .. ' ' .. math.ceil(wait_ms / 1000) .. ' 0 ' .. seed .. ' ' .. purpose
  if redis.call('HSETNX', waiters(ref), request, waiter) == 0 then
    return nil
  end
  redis.call('ZADD', order(ref), priority == '0' and arrival or string.format('%.6f', us / 1000 - priority * 1000), request)
  redis.call('HSET', waits(agent), request, ref)
  redis.call('SET', kept, 'q' .. hold .. place .. ' ' .. arrival .. rest, 'PX', '604800000')
  return 'queued ' .. place
end
