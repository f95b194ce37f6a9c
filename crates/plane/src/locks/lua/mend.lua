#!lua flags=allow-oom
-- purpose: Brings a lock up to date and writes again what the seeds' readers see of it.
-- guarantee: What decides is not changed, except that what has lapsed passes on.
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
--   due        quorate.lock_due
-- args:
--   ref     text  the lock
--   seed    text  the seed's key, taken away if nobody holds the lock
--   agent   text  who is said to hold it, or empty
--   member  text  how its list of holds names the lock
--   detect  integer  1 to look for rings of waiting agents
-- returns: { "mended", how many holds, how many of them are over and still to go }
-- writes: 34
-- use: now, digits, iso, load, waiter, compatible, living, foreign, show, tell, tasks, forget, seize, asking, hears, settle, blockers, give_way, cycle
-- layout: plain-only, tagged counterpart mend_tagged

local us, ms = now()
local lock = load(ref, ms)
local granted = settle(ref, lock, us, ms, true)
local said = agent ~= ''
for place, hold in ipairs(lock.h) do
  -- Many readers are shown in one place, which is written once.
  if place == 1 or #lock.h <= 32 then
    lock.anew = true
    show_hold(ref, lock, hold, ms)
    lock.anew = nil
  elseif hold.u > ms then
    list_hold(ref, hold)
  end
  said = said and not (hold.a == agent and ref .. ' ' .. hold.m == member)
end
if said then
  redis.call('ZREM', holds(agent), member)
end
if #lock.h == 0 and not foreign(ref, lock, seed, ms) then
  redis.call('ZREM', registry(), seed)
end
save(ref, lock)
local cursor = lock.w <= 1000 and redis.call('HLEN', waiters(ref)) > lock.w and '0'
while cursor do
  local page = redis.call('HSCAN', waiters(ref), cursor, 'COUNT', 500)
  cursor = page[1] ~= '0' and page[1]
  for place = 1, #page[2], 2 do
    local told = read_waiter(page[2][place + 1])
    if told.v and told.d <= ms then
      redis.call('HDEL', waiters(ref), page[2][place])
    end
  end
end
-- Whoever left a place in line is served when the next hold lapses, and a reader beside others is shown no longer.
if lock.w == 0 and not lock.h[2] then
  redis.call('ZREM', due(), ref)
elseif redis.call('ZSCORE', due(), ref) then
  local next = lock.h[1] and lock.h[1].u or lock.b or 0
  for _, hold in ipairs(lock.h) do
    next = math.min(next, hold.u)
  end
  redis.call('ZADD', due(), math.max(next, ms + 500), ref) -- drains: it replaces a score
end
break_closed(granted, detect, us, ms)
local over = 0
for _, hold in ipairs(lock.h) do
  over = over + (hold.u <= ms and 1 or 0)
end
return { 'mended', #lock.h, over }
