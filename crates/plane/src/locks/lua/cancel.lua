#!lua flags=allow-oom
-- purpose: Gives up a place in a queue; a hold that was granted in the meantime is given back, or stays if that is asked for.
-- guarantee: Afterwards the request does not wait, and whoever is next has been served; what it holds is said, or given back.
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
--   agent    text  whose request it must be, or empty
--   keep     integer  1 to leave what the request holds
--   detect   integer  1 to look for rings of waiting agents
--   repeated again  whether it may have been done
-- returns: { "cancelled" } | { "granted", fence } | { "unknown" }
-- writes: 29
-- use: now, digits, iso, load, waiter, compatible, living, foreign, show, tell, tasks, forget, seize, asking, hears, settle, blockers, give_way, cycle
-- layout: plain-only, tagged counterpart cancel_tagged

local us, ms = now()
local lock = load(ref, ms)
local had, waiter = of_request(lock, request), read_waiter(redis.call('HGET', waiters(ref), request))
local whose = had and had.a or waiter and waiter.a
if not whose or (agent ~= '' and agent ~= whose) then
  return { repeated == '' and 'unknown' or 'cancelled' }
end
if keep == 1 and (had and had.u > ms or waiter and waiter.v == 'granted') then
  return { 'granted', had and digits(had.f) or waiter.c[1] }
end
if waiter then
  waiter.k = waiter.k or ''
  forget(ref, lock, request, waiter, ms)
  -- Who looks would ask again, as after it was passed over.
  if keep == 1 and (waiter.y or 0) > 0 then
    decide(ref, request, waiter, 'timed_out', {}, ms)
    wake(waiter.x, request)
  end
end
for place = had and #lock.h or 0, 1, -1 do
  local hold = lock.h[place]
  if hold.r == request then
    table.remove(lock.h, place)
    hide_hold(ref, lock, hold, ms)
    count_tasks(ref, hold.a, ms)
    tell(ref, 'released', hold.a, hold.f, us)
  end
end
local granted = settle(ref, lock, us, ms)
save(ref, lock)
break_closed(granted, detect, us, ms)
return { 'cancelled' }
