-- purpose: The next fences of a queue, which only grow; a queue that has forgotten its last one goes on from the clock.
-- gives: last_fence
-- writes: 2
local function last_fence(queue, count, us)
  local last = redis.call('HINCRBY', state(queue), 'f', count) -- drains: a counter that is there
  if last < 1000000000000000 then
    last = us + count
    redis.call('HSET', state(queue), 'f', string.format('%.0f', last)) -- drains: as above
  end
  return last
end
