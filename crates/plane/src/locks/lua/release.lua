#!lua flags=allow-oom
-- purpose: Gives a lock back; the next waiters that fit get it in the same step.
-- guarantee: Only the holder with its fence can, so that a late release never frees another's lock; a repeated one is told it was done.
-- keys:
--   registry  ade.lock_registry
--   events    ade.events
--   capacity  ade.agent_capacity
--   seed      reverie.lock   or project_lock, ade.task_lock, ade.resource_lock
--   kept      quorate.lock_state
--   held      quorate.lock_holds
-- reaches:
--   state      quorate.lock_state
--   order      quorate.lock_order
--   waiters    quorate.lock_waiters
--   holds      quorate.lock_holds
--   waits      quorate.lock_waits
--   record_of  quorate.agent
--   index_of   ade.locks_by_agent
--   by_type    ade.locks_by_resource_type
--   mirror     ade.lock_queue
--   waitfor    ade.wait_for
--   channel    ade.lock_channel
--   wakes      quorate.wake
-- args:
--   ref     text     the lock
--   agent   text     its holder
--   fence   text     the fence of the hold
--   detect  integer  1 to look for rings of waiting agents
-- returns: { "released", fence } | { "refused", "not_owner", holder }
-- writes: 32
-- use: now
-- later: digits, iso, load, compatible, living, foreign, show, tell, forget, seize, settle, tasks_held, cycle
-- layout: plain-only, tagged counterpart release_tagged

local text = redis.call('GET', kept)
local short = text and text:sub(1, 2) == 'h ' and ref:sub(1, 5)
if short and short ~= 'task:' and short ~= 'resou' then
  -- The short way: a named, project or file lock with one holder and nobody waiting.
  local f, a, m, k = text:match('^h (%d+) (%S+) %d+ (%S+) %d+ %d+ %S+ %d+ %d+ (%S+) ')
  if f == fence and a == agent then
    -- A foreign client may have taken the key after ours had expired.
    if k == seed and redis.call('GET', seed) == agent then
      redis.call('DEL', seed)
    end
    redis.call('SET', kept, 'f ' .. f .. ' ' .. fence .. ' ' .. agent, 'PX', 604800000) -- drains: its fence
    redis.call('ZREM', held, ref .. ' ' .. m)
    return { 'released', fence }
  end
end
-- later

local us, ms = now()
local lock = load(ref)
for place, hold in ipairs(lock.h) do
  if hold.a == agent and digits(hold.f) == fence then
    table.remove(lock.h, place)
    lock.x = fence .. ' ' .. agent
    hide_hold(ref, lock, hold, ms)
    local granted = lock.w > 0 and settle(ref, lock, us, ms) or {}
    save(ref, lock)
    tell(ref, 'released', agent, hold.f, us)
    if ref:sub(1, 5) == 'task:' and redis.call('EXISTS', capacity) == 1 then
      redis.call('HSET', capacity, 'active_tasks', tasks_held(agent, ms)) -- drains: it replaces a value
    end
    for _, taken in ipairs(granted) do
      if detect == 1 and redis.call('EXISTS', waits(taken.a)) == 1 then
        break_cycles(taken.a, us, ms)
      end
    end
    return { 'released', fence }
  end
end
if lock.x == fence .. ' ' .. agent then
  return { 'released', fence }
end
return { 'refused', 'not_owner', lock.h[1] and lock.h[1].a or '' }
