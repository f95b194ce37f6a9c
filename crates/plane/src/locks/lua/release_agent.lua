#!lua flags=allow-oom
-- purpose: Passes on what an agent held and takes it out of every queue, once it is dead, revoked or past its lease.
-- guarantee: A living agent loses nothing by it: each hold is checked again here.
-- keys:
--   leases    quorate.agent_leases
--   capacity  ade.agent_capacity
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
--   agent  text     whose holds
--   most   integer  how many holds and waits at once
--   detect  integer  1 to look for rings of waiting agents
-- returns: { "released", how many, how many are left }
-- writes: 33
-- use: now, digits, iso, load, waiter, compatible, living, foreign, show, tell, tasks, forget, seize, asking, hears, settle, blockers, give_way, cycle
-- layout: plain-only, tagged counterpart release_agent_tagged

local us, ms = now()
local known = redis.call('HMGET', record_of(agent), 'epoch', 'lease_until')
local epoch = known[1] or '0'
local here = known[1] and living(agent, epoch, ms)
local done = 0
for _, member in ipairs(redis.call('ZRANGE', holds(agent), 0, most - 1)) do
  local ref = member:match('^(%S+)')
  local lock = load(ref, ms)
  for place = #lock.h, 1, -1 do
    local hold = lock.h[place]
    if hold.a == agent and (hold.u <= ms or not here or hold.e ~= epoch) then
      lapse(ref, lock, place, us, ms)
      done = done + 1
    end
  end
  if not here then
    redis.call('ZREM', holds(agent), member)
  end
  local granted = settle(ref, lock, us, ms)
  save(ref, lock)
  break_closed(granted, detect, us, ms)
end
local asked = here and {} or redis.call('HGETALL', waits(agent))
for place = 1, math.min(#asked, 2 * most), 2 do
  local lock = load(asked[place + 1], ms)
  local packed = redis.call('HGET', waiters(asked[place + 1]), asked[place])
  if packed then
    forget(asked[place + 1], lock, asked[place], read_waiter(packed), ms)
    local granted = settle(asked[place + 1], lock, us, ms)
    save(asked[place + 1], lock)
    break_closed(granted, detect, us, ms)
  end
  redis.call('HDEL', waits(agent), asked[place])
end
local left = redis.call('ZCARD', holds(agent)) + redis.call('HLEN', waits(agent))
if here then
  return { 'released', done, 0 }
end
if redis.call('EXISTS', capacity) == 1 then
  redis.call('HSET', capacity, 'active_tasks', 0, 'status', 'offline') -- drains: it replaces values
end
if left == 0 then
  redis.call('ZREM', leases, agent)
end
return { 'released', done, left }
