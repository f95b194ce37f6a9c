-- purpose: Takes a waiting request out of the queue, the indexes and the seed's mirrors.
-- gives: forget
-- writes: 6
local function forget(ref, lock, request, waiter)
  if redis.call('ZREM', order(ref), request) == 1 then
    lock.w = math.max(0, lock.w - 1)
  end
  redis.call('HDEL', waiters(ref), request)
  redis.call('HDEL', waits(waiter.a), request)
  if waiter.j then
    redis.call('ZREM', mirror(ref:sub(6)), waiter.j)
  end
  if ref:sub(1, 5) == 'task:' or ref:sub(1, 9) == 'resource:' then
    redis.call('SREM', waitfor(waiter.a), waiter.k)
  end
end
