#!lua flags=no-writes
-- purpose: Shows a lock: who holds it, and a page of those who wait, in order.
-- guarantee: A page is one moment of the lock, and changes nothing. Who gave up or died is not said to wait, though its place is still to be cleared.
-- keys: none
-- reaches:
--   state      quorate.lock_state
--   order      quorate.lock_order
--   waiters    quorate.lock_waiters
--   holds      quorate.lock_holds
--   record_of  quorate.agent
-- args:
--   ref   text     the lock
--   seed  text     the seed's key
--   start  integer  the first place of the line to look at; who holds it is told with the first of all
--   most  integer  how many waiters to list, of the 200 places that are looked at
-- returns: { now, fence, how many places there are in line, how many of this page are given up, { agent, mode, fence, until, since, purpose, epoch, living }…, "|", { request, agent, mode, since, deadline, priority, purpose }… }
-- writes: 3
-- use: now, digits, iso, load, waiter, living, foreign, asking
-- layout: plain-only, tagged counterpart inspect_tagged

local us, ms = now()
local lock = load(ref, ms)
local answer = { digits(us), digits(lock.f), digits(lock.w), '0' }
-- Fence, since when and why; of many readers as their lines have it.
local function words(hold)
  local from = lock.crowd and rawget(hold, 'from')
  if from then
    return lock.crowd.text:sub(from, hold.to - 1):match('^%S+ %d+ (%d+) %d+ %S+ (%d+) %d+ %d+ %d+ (.*)$')
  end
  return digits(hold.f), digits(hold.t), hold.p
end
for _, hold in ipairs(start == 0 and lock.h or {}) do
  if hold.u > ms then
    local fence, since, why = words(hold)
    answer[#answer + 1] = { hold.a, hold.m, fence, digits(hold.u), since, why, hold.e, living(hold.a, hold.e, ms) and '1' or '' }
  end
end
-- A key of another type is no lock that anybody has.
local fine, owner, lapses = pcall(foreign, ref, lock, seed, ms)
if fine and owner and start == 0 then
  answer[#answer + 1] = { owner, 'foreign', '0', digits(lapses), '0', 'another client took it by its own key', '0', '1' }
end
answer[#answer + 1] = '|'
local listed, lapsed = 0, 0
for _, request in ipairs(most > 0 and redis.call('ZRANGE', order(ref), start, start + 199) or {}) do
  local waiter = read_waiter(redis.call('HGET', waiters(ref), request))
  if not waiter or not asking(waiter, ms) or not living(waiter.a, waiter.e, ms) then
    lapsed = lapsed + 1
  elseif listed < most then
    listed = listed + 1
    answer[#answer + 1] = { request, waiter.a, waiter.m, digits(waiter.t), digits(waiter.d), digits(waiter.o), waiter.p }
  end
end
answer[4] = digits(lapsed)
return answer
