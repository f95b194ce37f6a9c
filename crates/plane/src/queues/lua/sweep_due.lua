-- purpose: Looks after what is due on a queue's agenda: leases that ended, items whose time has come.
-- gives: sweep_due
-- writes: 4
-- What a claim wants goes straight to it; what it does not want stays due, for the next one. Dead ones are buried and
-- lanes are filled in any case. `give` hands an item to who claims. Gives true when the queue is paused.
local function lapse(queue, mark, goal, us, ms, got, give)
  local claim, who = mark:match('^%d+%.([^.]+%.%d+g?)%.(.+)$')
  if not claim then
    redis.call('ZREM', agenda(queue), mark)
    return
  end
  local value = redis.call('HGET', claims(queue), claim)
  local attempts, name, class, item = (value or ''):match('^%d+ %S+ (%d+) %S+ (%S+) (%S+) %S+ %S+ (.*)$')
  local dead = attempts and tonumber(attempts) >= item_most(item, default_max)
  if not dead and name == '-' and #got >= goal or dead and unburiable(grave(claim, value), 'queue:' .. queue, 'lease-expired')
    or not dead and name and barred(queue, name, class) then
    return
  end
  local lost = unclaim(queue, mark, claim, who)
  if not lost then
    return
  end
  if dead then
    entomb(queue, claim, lost, 'the lease ran out in every attempt', 'lease-expired', who, ms)
  elseif name == '-' then
    give(queue, record_of(lost, lost.attempts), us, ms, got)
  else
    enter_lane(queue, record_of(lost, lost.attempts), name, true)
  end
end
local function promote(queue, goal, us, ms, got, give)
  for _, record in ipairs(redis.call('ZRANGEBYSCORE', delayed(queue), '-inf', ms, 'LIMIT', 0, goal - #got + 16)) do
    local attempts, name, class = record:match('^(%d+) %S+ (%S+) (%S+)')
    local wrong = barred(queue, name, class)
    if not wrong and (name ~= '-' or #got < goal) then
      redis.call('ZREM', delayed(queue), record)
    end
    if name ~= '-' and not wrong then
      enter_lane(queue, record, name, attempts ~= '0')
    elseif not wrong and #got < goal then
      give(queue, record, us, ms, got)
    end
  end
  local first = redis.call('ZRANGE', delayed(queue), 0, 0, 'WITHSCORES')
  if first[1] then
    redis.call('ZADD', agenda(queue), first[2], '!d')
  else
    redis.call('ZREM', agenda(queue), '!d')
  end
end
local function sweep_due(queue, goal, us, ms, got, give)
  for _, mark in ipairs(redis.call('ZRANGEBYSCORE', agenda(queue), '-inf', ms, 'LIMIT', 0, goal + 32)) do
    if mark == '!p' then
      return true
    elseif mark == '!d' then
      promote(queue, goal, us, ms, got, give)
    elseif mark ~= '!g' then
      lapse(queue, mark, goal, us, ms, got, give)
    end
  end
end
