-- purpose: Undoes a short claim that could not be written down, because a key of ours holds another type.
-- gives: put_back
-- writes: 3
-- The items are where they were, in their order, and the fences are free again.
local function put_back(queue, list, items, last, us)
  local count, back = #items, {}
  for i = 1, count do
    back[i] = items[count + 1 - i]
  end
  redis.call('RPUSH', list, unpack(back)) -- drains: they were there
  if last == us + count then
    redis.call('HDEL', state(queue), 'f')
  elseif last then
    redis.call('HINCRBY', state(queue), 'f', -count) -- drains: a counter that is there
  end
end
