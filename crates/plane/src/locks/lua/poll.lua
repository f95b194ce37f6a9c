#!lua flags=allow-oom
-- purpose: Asks what became of a waiting request, and brings its lock up to date on the way.
-- guarantee: A lock that is free reaches the first living waiter with this call, whether or not anybody was woken.
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
--   leases     quorate.agent_leases
--   session_of  reverie.session
-- args:
--   request  text     the waiting request
--   ref      text     the lock
--   agent    text     who waits
--   epoch    text     its epoch, or empty for the current one
--   detect   integer  1 to look for rings of waiting agents
-- returns: "granted FENCE UNTIL" | "queued POSITION [long]" | { "deadlock", edge… } | { "timed_out" } | { "gone" } | { "refused", reason, detail }
-- writes: 36
-- use: now, admit, stay, digits, iso, load, waiter, compatible, living, foreign, show, tell, tasks, forget, seize, asking, hears, settle, blockers, give_way, cycle, granted
-- layout: plain-only, tagged counterpart poll_tagged

local us, ms = now()
local lock = load(ref, ms)
local waiter = read_waiter(redis.call('HGET', waiters(ref), request))
if waiter and waiter.v then
  redis.call('HDEL', waiters(ref), request)
  return ruling(waiter)
end
-- Serves whoever is next.
local function serve()
  local served = settle(ref, lock, us, ms)
  save(ref, lock)
  break_closed(served, detect, us, ms)
  return served[1]
end
if waiter and waiter.d <= ms then
  forget(ref, lock, request, waiter, ms)
  serve()
  return { 'timed_out' }
end
local own = waiter and covering(lock, waiter, ms)
if own then
  -- Whoever is before it in line need not be waited for.
  share(ref, lock, request, waiter, own, ms)
  redis.call('HDEL', waiters(ref), request)
  serve()
  return granted(own) .. ' again'
end
if waiter then
  if waiter.y > 0 then
    waiter.y = ms
    local here, drain = living(waiter.a, waiter.e, ms + 2000)
    if drain then
      forget(ref, lock, request, waiter, ms)
      serve()
      return { 'refused', 'draining', drain }
    end
    if not here then
      stay(record_of(waiter.a), waiter.a, waiter.e, ms)
      local refused = admit(record_of(waiter.a), waiter.e, ms)
      if refused then
        forget(ref, lock, request, waiter, ms)
        serve()
        return refused
      end
    end
    redis.call('HSET', waiters(ref), request, waiter_text(waiter)) -- drains: it replaces a value
  end
  lock = serve() and load(ref, ms) or lock
end
local had = of_request(lock, request)
if had and had.u > ms then
  return granted(had)
end
-- A ring is looked for by the wait or the grant that closes it; who has waited for a while only looks now and then.
local long = waiter and detect == 1 and us % 4 == 0 and break_cycles(waiter.a, us, ms)
local place = redis.call('ZRANK', order(ref), request)
if not place then
  local after = read_waiter(redis.call('HGET', waiters(ref), request))
  if not after then
    -- Whoever took it out of the queue may have done so because its agent was stopped.
    return (admit(record_of(agent), epoch, ms)) or { 'gone' }
  end
  redis.call('HDEL', waiters(ref), request)
  return ruling(after)
end
return 'queued ' .. place + 1 .. (long and ' long' or '')
