-- purpose: The next fences of a queue, which only grow; a queue that has forgotten its last one goes on from the clock.
-- gives: last_fence
-- writes: 2
-- Gives nothing where the queue's state is no hash.
local function last_fence(queue, count, us)
  local last = redis.pcall('HINCRBY', state(queue), 'f', count) -- drains: a counter that is there
  if type(last) ~= 'number' then
    return nil
  end
  if last < 1000000000000000 then
    last = us + count
    redis.call('HSET', state(queue), 'f', string.format('%.0f', last)) -- drains: as above
  end
  return last
end
