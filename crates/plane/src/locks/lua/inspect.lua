#!lua flags=no-writes
-- purpose: Shows a lock: who holds it and who waits, in order.
-- guarantee: It is one moment of the lock, and changes nothing. Who gave up or died is not said to wait, though its place is still to be cleared.
-- keys: none
-- reaches:
--   state      quorate.lock_state
--   order      quorate.lock_order
--   waiters    quorate.lock_waiters
--   holds      quorate.lock_holds
--   record_of  quorate.agent
-- args:
--   ref   text     the lock
--   most  integer  how many waiters to list
-- returns: { now, fence, waiting, { agent, mode, fence, until, since, purpose, epoch, living }…, "|", { request, agent, mode, since, deadline, priority, purpose }… }
-- writes: 3
-- use: now, digits, iso, load, waiter, living, asking
-- layout: plain-only, tagged counterpart inspect_tagged

local us, ms = now()
local lock = load(ref, ms)
local answer = { digits(us), digits(lock.f), digits(lock.w) }
for _, hold in ipairs(lock.h) do
  if hold.u > ms then
    answer[#answer + 1] = { hold.a, hold.m, digits(hold.f), digits(hold.u), digits(hold.t), hold.p, hold.e,
      living(hold.a, hold.e, ms) and '1' or '' }
  end
end
answer[#answer + 1] = '|'
local listed, lapsed = 0, 0
for _, request in ipairs(most > 0 and redis.call('ZRANGE', order(ref), 0, 999) or {}) do
  local waiter = read_waiter(redis.call('HGET', waiters(ref), request))
  if not waiter or not asking(waiter, ms) or not living(waiter.a, waiter.e, ms) then
    lapsed = lapsed + 1
  elseif listed < most then
    listed = listed + 1
    answer[#answer + 1] = { request, waiter.a, waiter.m, digits(waiter.t), digits(waiter.d), digits(waiter.o), waiter.p }
  end
end
answer[3] = digits(math.max(0, lock.w - lapsed))
return answer
