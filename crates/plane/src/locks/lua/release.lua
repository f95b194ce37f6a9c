#!lua flags=allow-oom
-- purpose: Gives a lock back; the next waiters that fit get it in the same step.
-- guarantee: Only the holder with its fence can, so that a late release never frees another's lock; a repeated one is told it was done.
-- keys:
--   seed      reverie.lock   or project_lock, ade.task_lock, ade.resource_lock
--   kept      quorate.lock_state
-- reaches:
--   registry     ade.lock_registry
--   events       ade.events
--   state        quorate.lock_state
--   order        quorate.lock_order
--   waiters      quorate.lock_waiters
--   holds        quorate.lock_holds
--   waits        quorate.lock_waits
--   record_of    quorate.agent
--   capacity_of  ade.agent_capacity
--   index_of     ade.locks_by_agent
--   by_type      ade.locks_by_resource_type
--   mirror       ade.lock_queue
--   waitfor      ade.wait_for
--   channel      ade.lock_channel
--   wakes        quorate.wake
-- args:
--   ref     text     the lock
--   agent   text     its holder
--   fence   text     the fence of the hold
--   detect  integer  1 to look for rings of waiting agents
--   here    text     the process that asks, or -
-- returns: "released" | "released REQUEST FENCE UNTIL" where that request of the same process has it now | { "refused", "not_owner", holder } | { "refused", "revoked", epoch }
-- writes: 54
-- use: alone, stopped
-- later: now, iso | plain, unmark | living, hears, hand_over | digits, show, tell, tasks, load, waiter, compatible, foreign, forget, seize, asking, settle, blockers, give_way, cycle, crowd, readers
-- layout: plain-only, tagged counterpart release_tagged

-- The short way: one holder and nobody waiting. The record stays as it is, and so does the agent's list: a hold counts
-- while the seed's key shows it, and its fence is what the next one must exceed.
-- Both are asked for in one call, which says nothing of a key that is no text.
local found = redis.call('MGET', kept, seed)
local text, shown = found[1], found[2]
local ade = ref:find('^task:') or ref:find('^resource:')
local mode, ended = alone(text, seed, agent, fence), stopped(agent)
if ended then
  return { 'refused', 'revoked', ended }
end
if mode and not ade then
  -- A foreign client may have taken the key after ours had expired.
  if shown == agent then
    redis.call('DEL', seed)
  end
  return 'released'
end
-- later

local us, ms, clock = now()
-- later

if mode == 'x' and plain(ref, agent, fence, seed) then
  unlist(agent, { ref .. ' x' }, { seed })
  unshow({ seed })
  tell_given(ref, agent, fence, seed, iso(us))
  return 'released'
end
-- later

local grant = text and not ade and hand_over(us, ms, clock, text, shown)
if grant then
  return 'released' .. grant
end
-- later

if ade and text and reader_goes(text, ref, seed, agent, fence, us, ms) then
  return 'released'
end
local lock = load(ref, ms, text)
for place, hold in ipairs(lock.h) do
  if hold.a == agent and digits(hold.f) == fence then
    table.remove(lock.h, place)
    lock.x = fence .. ',' .. agent
    hide_hold(ref, lock, hold, ms)
    local granted = lock.w > 0 and settle(ref, lock, us, ms, false, true) or {}
    save(ref, lock)
    tell(ref, 'released', agent, hold.f, us)
    count_tasks(ref, agent, ms)
    break_closed(granted, detect, us, ms)
    return 'released'
  end
end
if lock.x == fence .. ',' .. agent then
  return 'released'
end
return { 'refused', 'not_owner', lock.h[1] and lock.h[1].a or 'nobody' }
