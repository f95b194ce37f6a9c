-- purpose: Whether a request that waits still asks: within its time, and heard from if it said that it would be.
-- gives: asking
-- writes: 0
-- Who does not, and who is not alive, is passed over when the lock is next served, and is not said to wait before.
local function asking(waiter, ms)
  return not waiter.v and waiter.d > ms and (waiter.y == 0 or waiter.y + 5000 > ms)
end
