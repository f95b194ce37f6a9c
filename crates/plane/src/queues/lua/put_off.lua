-- purpose: Keeps an item until it is due, and notes on the agenda when the first one is.
-- gives: put_off
-- writes: 2
local function put_off(queue, record, due)
  redis.call('ZADD', delayed(queue), due, record)
  redis.call('ZADD', agenda(queue), 'LT', due, '!d')
  redis.call('PUBLISH', wake(queue), '!d')
end
