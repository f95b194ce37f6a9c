-- purpose: Claims from several queues: the most urgent first, and every twentieth item the oldest of a lower one.
-- gives: choose
-- writes: 1
-- Since when a queue's oldest item waits that could be had now, on its list, in a lane, or because it is due; nothing while
-- the queue is paused. A foreign item does not say, and counts as old.
local function waits_since(queue, list, ms)
  local due = redis.call('ZRANGEBYSCORE', agenda(queue), '-inf', ms, 'WITHSCORES', 'LIMIT', 0, 3)
  local tail = redis.call('LINDEX', list, -1)
  local since = tail and (item_at(tail) or 0)
  for i = 1, #due, 2 do
    local at = tonumber(due[i + 1])
    if due[i] == '!p' then
      return nil
    elseif due[i] == '!g' then
      local _, lane_at = oldest_lane(queue)
      at = lane_at
    end
    since = since and at and math.min(since, at) or since or at
  end
  return since
end
-- Gives whether every queue was paused.
local function choose(goal, us, ms, got)
  local paused = 0
  for at = 1, #lists do
    paused = paused + (redis.call('ZSCORE', agenda(more[acks + at]), '!p') and 1 or 0)
  end
  for _ = 1, 2 * goal do
    local from = #got
    if from >= goal then
      break
    end
    local turn = #lists > 1 and redis.call('HINCRBY', state(more[acks + 1]), 'turn', 1) or 1
    if turn % 20 == 0 then
      local best, age = nil, nil
      for at = 2, #lists do
        local since = waits_since(more[acks + at], lists[at], ms)
        if since and (not age or since < age) then
          best, age = at, since
        end
      end
      if best then
        draw(more[acks + best], lists[best], from + 1, us, ms, got)
      end
    end
    for at = 1, #lists do
      if #got == from then
        -- Up to the next turn of a lower queue in one go.
        draw(more[acks + at], lists[at], #lists > 1 and from + 1 or goal, us, ms, got)
      end
    end
    if #got == from then
      break
    end
  end
  return paused == #lists
end
