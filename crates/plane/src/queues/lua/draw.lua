-- purpose: The long way to items: what is due first, then lanes and the seed's list, whichever has the older item.
-- gives: draw, oldest_lane
-- writes: 6
local words
local function serves(class)
  if class == '-' then
    return true
  end
  words = words or ' ' .. (redis.call('HGET', agents(agent), 'words') or '') .. ' '
  for word in class:gmatch('[^:]+') do
    if not words:find(' c:' .. word .. ' ', 1, true) then
      return false
    end
  end
  return true
end
-- Lanes that turned out to hold another type are passed over, and stay as they are.
local spoiled, spoils = {}, 0
local function oldest_lane(queue)
  local name, at, of
  for _, class in ipairs(redis.call('ZRANGE', classes(queue), 0, 63)) do
    local first, place = serves(class) and redis.pcall('ZRANGE', ready(queue .. ':' .. class), 0, spoils, 'WITHSCORES') or {}, 1
    while spoiled[first[place]] do
      place = place + 2
    end
    if first[place] and (not at or tonumber(first[place + 1]) < at) then
      name, at, of = first[place], tonumber(first[place + 1]), class
    end
  end
  return name, at, of
end
local function from_lane(queue, name, class, us, ms, got)
  local record = redis.pcall('LPOP', lane(queue .. ':' .. name))
  if type(record) == 'table' then
    spoiled[name], spoils = true, spoils + 1
    return
  end
  local _, at = next_in(queue, name)
  if record and name:sub(1, 2) == 'g:' then
    redis.call('SADD', busy(queue), name)
    close_lane(queue, class, name)
  elseif at then
    redis.call('ZADD', ready(queue .. ':' .. class), at, name)
  else
    close_lane(queue, class, name)
  end
  if record then
    redis.call('HINCRBY', state(queue), 'lanes', -1)
    grant(queue, record, us, ms, got)
  end
end
-- Gives true when the queue is paused.
local function draw(queue, list, goal, us, ms, got)
  if sweep_due(queue, goal, us, ms, got, grant) then
    return true
  end
  for _ = 1, 2 * (goal - #got) do
    local name, since, class = oldest_lane(queue)
    local tail = name and redis.call('LINDEX', list, -1)
    -- A foreign item does not say how old it is: they take turns.
    local older = tail and (item_at(tail) or (ms % 2 == 0 and 0 or ms)) < since
    if #got >= goal or not name then
      break
    end
    if older then
      grant(queue, '0 - - - - 0 ' .. redis.call('RPOP', list), us, ms, got)
    else
      from_lane(queue, name, class, us, ms, got)
    end
  end
  local items = #got < goal and redis.call('RPOP', list, goal - #got) or {}
  for _, item in ipairs(items) do
    grant(queue, '0 - - - - 0 ' .. item, us, ms, got)
  end
end
