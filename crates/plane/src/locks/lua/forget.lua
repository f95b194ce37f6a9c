-- purpose: Takes a waiting request out of the queue, the indexes and the seed's mirrors.
-- gives: forget
-- writes: 5
-- An agent may wait for one lock with several requests, as with a new one beside one that it gave up.
local function waits_still(agent, ref)
  for _, other in ipairs(redis.call('HVALS', waits(agent))) do
    if other == ref then
      return true
    end
  end
  return false
end
local function forget(ref, lock, request, waiter)
  if redis.call('ZREM', order(ref), request) == 1 then
    lock.w = math.max(0, lock.w - 1)
  end
  redis.call('HDEL', waiters(ref), request)
  redis.call('HDEL', waits(waiter.a), request)
  local task = ref:sub(1, 5) == 'task:'
  if task and waiter.t then
    redis.call('ZREM', mirror(ref:sub(6)), queue_member(request, waiter))
  end
  if (task or ref:sub(1, 9) == 'resource:') and not waits_still(waiter.a, ref) then
    redis.call('SREM', waitfor(waiter.a), waiter.k)
  end
end
