#!lua flags=allow-oom
-- purpose: Gives up a place in a queue; a hold that was granted in the meantime is given back.
-- guarantee: Afterwards the request neither waits nor holds, and whoever is next has been served.
-- keys: none
-- reaches:
--   registry     ade.lock_registry
--   events       ade.events
--   state      quorate.lock_state
--   order      quorate.lock_order
--   waiters    quorate.lock_waiters
--   holds      quorate.lock_holds
--   waits      quorate.lock_waits
--   record_of  quorate.agent
--   capacity_of  ade.agent_capacity
--   index_of   ade.locks_by_agent
--   by_type    ade.locks_by_resource_type
--   mirror     ade.lock_queue
--   waitfor    ade.wait_for
--   channel    ade.lock_channel
--   wakes      quorate.wake
-- args:
--   request  text  the request
--   ref      text  the lock
-- returns: { "cancelled" }
-- writes: 27
-- use: now, digits, iso, load, waiter, compatible, living, foreign, show, tell, tasks, forget, seize, asking, settle
-- layout: plain-only, tagged counterpart cancel_tagged

local us, ms = now()
local lock = load(ref, ms)
local packed = redis.call('HGET', waiters(ref), request)
if packed then
  local waiter = read_waiter(packed)
  waiter.k = waiter.k or ''
  forget(ref, lock, request, waiter)
end
for place = of_request(lock, request) and #lock.h or 0, 1, -1 do
  local hold = lock.h[place]
  if hold.r == request then
    table.remove(lock.h, place)
    hide_hold(ref, lock, hold, ms)
    tell(ref, 'released', hold.a, hold.f, us)
  end
end
settle(ref, lock, us, ms)
save(ref, lock)
return { 'cancelled' }
