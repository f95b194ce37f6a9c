-- purpose: Brings a lock up to date: lapsed holders leave, and the next waiters that fit get it, in their order.
-- gives: lapse, covering, share, is_full, settle
-- writes: 0
-- A waiter that is dead, revoked, past its deadline or no longer asking is passed over; one whose agent holds as many
-- tasks as it may keeps its place, and so does one whose process does not listen. One call grants or passes over at most 64 and lets 300 go, so that it never runs long. A hold that ends
-- without a release starts its lock delay, during which nobody gets the lock. Of many holders a short call does not ask
-- whether each is alive, and whoever waits asks of an eighth of them with each look. A lock has at most a thousand holders.
local function lapse(ref, lock, place, us, ms, more)
  local hold = table.remove(lock.h, place)
  hide_hold(ref, lock, hold, ms, more)
  count_tasks(ref, hold.a, ms)
  lock.b = hold.y > 0 and math.max(lock.b or 0, ms + hold.y) or lock.b
  tell(ref, 'expired', hold.a, hold.f, us)
end
local function is_full(ref, agent, ms)
  local most = ref:sub(1, 5) == 'task:' and redis.call('HGET', record_of(agent), 'max_tasks')
  return most and tasks_of(agent, ms, ref) > tonumber(most) and most
end
-- What an agent holds answers its other requests too: who has all of a lock has each part of it.
local function covering(lock, waiter, ms)
  for _, hold in ipairs(lock.h) do
    if hold.a == waiter.a and hold.e == waiter.e and hold.u > ms and (hold.m == 'x' or hold.m == waiter.m) then
      return hold
    end
  end
end
local function share(ref, lock, request, waiter, own, ms)
  forget(ref, lock, request, waiter, ms)
  own.u = math.max(own.u, ms + waiter.l)
  show_hold(ref, lock, own, ms)
  if waiter.y > 0 then
    decide(ref, request, waiter, 'granted', { digits(own.f), digits(own.u), 'again' }, ms)
    wake(waiter.x, request)
  end
end
-- Gives what it has granted, and whether nobody who is left in line could take the lock now.
local function settle(ref, lock, us, ms, wanted, brief)
  local many, turn, over = #lock.h > 64, us % 8, {}
  for place = #lock.h, 1, -1 do
    local hold = lock.h[place]
    local asked = wanted or (lock.w > 0 and (not many or (not brief and place % 8 == turn)))
    if #over < 300 and (hold.u <= ms or (asked and not living(hold.a, hold.e, ms))) then
      over[#over + 1] = place
    end
  end
  lock.anew = #over > 4 or nil
  for nth, place in ipairs(over) do
    lapse(ref, lock, place, us, ms, lock.anew and nth < #over)
  end
  lock.anew = nil
  if lock.b and lock.b <= ms then
    lock.b = nil
  end
  local granted, full, idle = {}, 0, false
  for _ = 1, 64 do
    local request = lock.w > 0 and not lock.b and redis.call('ZRANGE', order(ref), full, full)[1]
    if not request then
      idle = not lock.b
      break
    end
    local waiter = read_waiter(redis.call('HGET', waiters(ref), request)) or { a = '', e = '0', k = '', d = 0 }
    if not asking(waiter, ms) or not taking(waiter.a, waiter.e, ms) then
      forget(ref, lock, request, waiter, ms)
    elseif not hears(waiter.x, waiter.y, ms) then
      full = full + 1
    elseif covering(lock, waiter, ms) then
      share(ref, lock, request, waiter, covering(lock, waiter, ms), ms)
    else
      local fits = #lock.h < 1000 and not foreign(ref, lock, waiter.k, ms)
      for _, hold in ipairs(lock.h) do
        fits = fits and (hold.a == waiter.a or compatible(hold.m, waiter.m))
      end
      if not fits then
        break
      end
      if is_full(ref, waiter.a, ms) then
        full = full + 1
      else
        forget(ref, lock, request, waiter, ms)
        granted[#granted + 1] = seize(ref, lock, request, waiter, us, ms)
        tell(ref, 'promoted', waiter.a, lock.f, us)
        wake(waiter.x, request, granted[#granted])
        if waiter.m == 'x' then
          break
        end
      end
    end
  end
  return granted, idle
end
