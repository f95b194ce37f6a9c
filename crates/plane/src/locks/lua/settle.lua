-- purpose: Brings a lock up to date: lapsed holders leave, and the next waiters that fit get it, in their order.
-- gives: settle
-- writes: 0
-- A waiter that is dead, revoked, past its deadline or no longer asking is passed over. One call grants or passes over
-- at most 64, so that it never runs long; the next call goes on.
local function settle(ref, lock, us, ms, wanted)
  for place = #lock.h, 1, -1 do
    local hold = lock.h[place]
    if hold.u <= ms or ((wanted or lock.w > 0) and not living(hold.a, hold.e, ms)) then
      table.remove(lock.h, place)
      hide_hold(ref, lock, hold, ms)
      tell(ref, 'expired', hold.a, hold.f, us)
    end
  end
  local granted = {}
  for _ = 1, 64 do
    local request = lock.w > 0 and redis.call('ZRANGE', order(ref), 0, 0)[1]
    if not request then
      break
    end
    local packed = redis.call('HGET', waiters(ref), request)
    local waiter = packed and cmsgpack.unpack(packed) or { a = '', e = '0', k = '', d = 0 }
    if waiter.d <= ms or (waiter.y > 0 and waiter.y + 5000 <= ms) or not living(waiter.a, waiter.e, ms) then
      forget(ref, lock, request, waiter)
    else
      local fits = not foreign(ref, lock, waiter.k, ms)
      for _, hold in ipairs(lock.h) do
        fits = fits and (hold.a == waiter.a or compatible(hold.m, waiter.m))
      end
      if not fits then
        break
      end
      forget(ref, lock, request, waiter)
      granted[#granted + 1] = seize(ref, lock, request, waiter, us, ms)
      tell(ref, 'promoted', waiter.a, lock.f, us)
      wake(waiter.x, request, granted[#granted])
    end
  end
  return granted
end
