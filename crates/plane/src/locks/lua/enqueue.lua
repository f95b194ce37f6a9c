-- purpose: Puts a request whose wishes are known into a lock's queue, with what the seeds' readers see of it.
-- gives: enqueue
-- reaches: due quorate.lock_due
-- writes: 6
-- One that already holds the lock and wants more of it comes first: everybody else waits for it anyway.
local function enqueue(ref, lock, request, waiter, upgrade, ade, ms)
  lock.q = math.max(lock.q + 1 / 1024, ms)
  redis.call('ZADD', order(ref), string.format('%.6f', upgrade and lock.q - 1e12 or lock.q - waiter.o * 1000), request)
  redis.call('HSET', waits(waiter.a), request, ref)
  lock.w = lock.w + 1
  -- Nobody looks for a place that was left there. Tasks and resources are in ade's registry, by when they lapse.
  if waiter.x == '-' and not ade then
    redis.call('ZADD', due(), ms, ref)
  end
  if ade then
    redis.call('SADD', waitfor(waiter.a), waiter.k)
    redis.call('PEXPIRE', waitfor(waiter.a), waiter.d - ms + 300000)
  end
  if ref:sub(1, 5) == 'task:' then
    redis.call('ZADD', mirror(ref:sub(6)), string.format('%.6f', lock.q), queue_member(request, waiter))
    count_line(ref, lock)
  end
end
