#!lua flags=allow-oom
-- purpose: Acknowledges items whose work is done.
-- guarantee: Only whoever holds an item, within its lease, can end it; a late answer is refused and counted, and changes nothing.
-- keys:
-- reaches:
--   agents   quorate.agent
--   claims   quorate.queue_claims
--   agenda   quorate.queue_agenda
--   held     quorate.queue_held
--   calls    quorate.queue_calls
--   state    quorate.queue_state
--   lane     quorate.queue_lane
--   ready    quorate.queue_ready
--   classes  quorate.queue_classes
--   busy     quorate.queue_busy
--   wake     quorate.queue_wake
--   letter   quorate.dead_letter
--   runs     quorate.job_runs
--   job_lock ade.job_lock
-- args:
--   queue    text     the queue of all of them
--   agent    text     who had them
--   epoch    text     its epoch, or empty for the current one
--   process  text     whose call it is
--   slot     text     which of its lanes, or empty for a call that is not repeated
--   seq      text     the number of the call in that lane
-- rest: more
-- returns: the places of refused tokens, as `2,5`, or `-` | { "refused", reason, detail }
-- writes: 25
-- use: now, admit, allow, finish, mark_call
-- later: guard_type, facts, occurrence, lanes, tasks, settle
-- layout: plain-only, tagged counterpart ack_tagged

local _, ms = now()
local refused, _, most = allow(agent, epoch, ms)
if refused then
  return refused
end
local done, names, held_by, stale, grouped = finish(queue, #more, ms)
if not stale and not grouped and not most then
  strike(queue, done, names, held_by)
  mark_call('-')
  return '-'
end
-- later

local answer = settle(queue, done, names, held_by, stale, ms)
if most then
  count_tasks('task:', agent, ms)
end
return answer
