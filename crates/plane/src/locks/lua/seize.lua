-- purpose: Gives a lock to a request that fits, with a fence above every earlier one.
-- gives: seize
-- reaches: due quorate.lock_due
-- writes: 3
-- An agent that already holds the lock in another mode exchanges that hold, which is how it upgrades and downgrades. A reader that
-- lapses beside others is shown until somebody looks, so it is noted when: of each that comes, and of the one that was alone.
local function seize(ref, lock, request, wanted, us, ms)
  for place = #lock.h, 1, -1 do
    local own = lock.h[place]
    if own.a == wanted.a and (own.m == wanted.m or own.m:sub(1, 2) ~= 'a:' or wanted.m == 'x') then
      table.remove(lock.h, place)
      redis.call('ZREM', holds(own.a), ref .. ' ' .. own.m)
      if own.k ~= wanted.k then
        redis.call('DEL', own.k)
      end
    end
  end
  lock.f = math.max(lock.f + 1, us)
  local hold = { a = wanted.a, e = wanted.e, m = wanted.m, f = lock.f, u = ms + wanted.l, t = us, r = request,
    l = wanted.l, p = wanted.p, k = wanted.k, n = 0, y = wanted.c }
  lock.h[#lock.h + 1] = hold
  if hold.m == 's' and lock.h[2] then
    redis.call('ZADD', due(), 'LT', digits(math.min(lock.h[1].u, hold.u)), ref) -- drains: one entry for a lock that is held
  end
  show_hold(ref, lock, hold, ms)
  count_tasks(ref, wanted.a, ms)
  return hold
end
