#!lua flags=allow-oom
-- purpose: Looks after a queue that nobody claims from: buries what is dead, fills lanes, and samples how fast it goes.
-- guarantee: Safe in any number of processes; what waits for a claimer stays where it is.
-- keys:
-- reaches:
--   claims   quorate.queue_claims
--   agenda   quorate.queue_agenda
--   held     quorate.queue_held
--   state    quorate.queue_state
--   lane     quorate.queue_lane
--   ready    quorate.queue_ready
--   classes  quorate.queue_classes
--   busy     quorate.queue_busy
--   delayed  quorate.queue_delayed
--   wake     quorate.queue_wake
--   letter   quorate.dead_letter
--   view     quorate.dead_view
--   runs     quorate.job_runs
--   job_lock ade.job_lock
-- args:
--   queue        text     which one
--   default_max  integer  most attempts of an item that does not say
-- returns: { "swept" } | { "refused", reason, detail }
-- writes: 38
-- use: now, guard_type, sound, dead_lists, bury, facts, occurrence, lanes, tasks, unclaim, pack, failed, sweep_due
-- layout: plain-only, tagged counterpart sweep_tagged

local us, ms = now()
local wrong = unsound(queue)
if wrong then
  return wrong
end
sweep_due(queue, 0, us, ms, {})
local known = redis.call('HMGET', state(queue), 'f', 'sample_ms')
if known[1] and ms - (tonumber(known[2]) or 0) > 30000 then
  redis.call('HSET', state(queue), 'sample_f', known[1], 'sample_ms', string.format('%.0f', ms)) -- drains: it replaces values
end
return { 'swept' }
