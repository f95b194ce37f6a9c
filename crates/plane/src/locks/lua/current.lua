-- purpose: Whether a fence is that of a hold which counts: it has not lapsed, and its agent may hold it.
-- gives: is_current
-- writes: 0
local function is_current(lock, fence, ms)
  for _, hold in ipairs(lock.h) do
    if digits(hold.f) == fence and hold.u > ms and living(hold.a, hold.e, ms) then
      return true
    end
  end
  return false
end
