-- purpose: Whom a waiting request waits for.
-- gives: blockers
-- writes: 0
-- A request is blocked by the holders that it, or one of those before it, does not fit with; who waits for all of a lock
-- fits with none. A hold that has lapsed is in nobody's way: it passes on by itself.
local function blockers(ref, lock, request, waiter, ms)
  local found, modes = {}, { [waiter.m] = true }
  local place = redis.call('ZRANK', order(ref), request) or 0
  -- Only areas and readers can be before each other and fit; the first of them say enough.
  for _, before in ipairs(place > 0 and waiter.m ~= 'x' and redis.call('ZRANGE', order(ref), 0, math.min(place, 64) - 1) or {}) do
    local other = read_waiter(redis.call('HGET', waiters(ref), before))
    modes[other and other.m or waiter.m] = true
  end
  for _, hold in ipairs(lock.h) do
    for mode in pairs(modes) do
      if hold.a ~= waiter.a and hold.u > ms and not compatible(hold.m, mode) and found[#found] ~= hold then
        found[#found + 1] = hold
      end
    end
  end
  return found
end
