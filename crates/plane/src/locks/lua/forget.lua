-- purpose: Takes a waiting request out of the queue, the indexes and the seed's mirrors.
-- gives: forget, decide, count_line
-- reaches: due quorate.lock_due
-- writes: 8
-- An agent may wait for one lock with several requests, as with a new one beside one that it gave up.
local function waits_still(agent, ref)
  for _, other in ipairs(redis.call('HVALS', waits(agent))) do
    if other == ref then
      return true
    end
  end
  return false
end
-- How many wait for a task, where ade's readers look. Only a hash that shows a hold of ours: one that is gone would come back
-- without an end.
local function count_line(ref, lock)
  local hold = ref:sub(1, 5) == 'task:' and lock.h[1]
  if hold and redis.call('HEXISTS', hold.k, 'fence_token') == 1 then
    redis.call('HSET', hold.k, 'queue_length', lock.w) -- drains: it replaces a value
  end
end
local function forget(ref, lock, request, waiter, ms)
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
  if task then
    count_line(ref, lock)
    count_tasks(ref, waiter.a, ms)
  end
end
-- What became of a request that is no longer in line, for its next look. Who only left a place, or was killed, does not look: what
-- was decided is kept for a minute.
local function decide(ref, request, waiter, verdict, words, ms)
  redis.call('HSET', waiters(ref), request, cmsgpack.pack({ v = verdict, c = words, a = waiter.a, d = ms + 60000 }))
  redis.call('ZADD', due(), 'LT', digits(ms + 60000), ref) -- drains: as the line above
end
