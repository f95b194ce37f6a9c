#!lua flags=allow-oom
-- purpose: Claims items of one or several queues for an agent, under a lease.
-- guarantee: An item is with one claimer or on its queue, never with none; a repeated call gets the items of the first.
-- keys:
-- keys-rest: lists  reverie.task_queue
-- reaches:
--   agents   quorate.agent
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
--   leases   quorate.agent_leases
--   session_of reverie.session
-- args:
--   agent        text     who claims
--   epoch        text     its epoch, or empty for the current one
--   wanted       integer  most items; 0 only asks whether the agent may go on
--   lease_ms     integer  how long it has for them
--   salt         request  the id of the call
--   default_max  integer  most attempts of an item that does not say
--   repeated     again    whether it may have been done
-- rest: more
-- returns: { "- = ENDS FENCE", element… } | { "- WAIT", item… } | { "refused", reason, detail }
-- writes: 58
-- use: now, admit, allow, stay, fence, put_back, seize
-- later: guard_type, sound, dead_lists, bury, facts, occurrence, lanes, grant, tasks, unclaim, pack, failed, sweep_due, draw, choose, again
-- layout: plain-only, tagged counterpart claim_tagged

local us, ms = now()
local refused, drain, most, repeats, lapsed = allow(agent, epoch, ms)
if refused then
  return refused
end
if lapsed then
  stay(agents(agent), agent, lapsed, ms)
end
if repeated == '' and overtaken(repeats, salt) then
  return { '- -' }
end
-- Who waits for its turn only asks whether it may.
if tonumber(wanted) == 0 then
  return drain and { 'refused', 'draining', drain } or { '- -' }
end
local first, acks = more[1], 0
if first:sub(1, 4) ~= 'job:' and not lists[2] and not drain and not most and redis.call('ZCOUNT', agenda(first), '-inf', ms) == 0
  and repeated == '' then
  local got, refusal = seize(first, lists[1], wanted, us, ms, '-')
  if got or refusal then
    return got or refusal
  end
  local head = redis.call('ZRANGE', agenda(first), 0, 0, 'WITHSCORES')
  return { '- ' .. (head[1] and head[2] - ms or '-') }
end
-- later

if repeated ~= '' then
  note_repeat(agent, repeats, salt)
end
local got = {}
for at = 1, repeated ~= '' and #lists or 0 do
  got = #got > 0 and got or again(more[at], wanted)
end
if #got == 0 then
  if drain then
    return { 'refused', 'draining', drain }
  end
  local free = tonumber(most) and most - tasks_of(agent, ms) or wanted
  if free <= 0 then
    return { 'refused', 'capacity', most }
  end
  for at, list in ipairs(lists) do
    local wrong = guard_type(list, 'list') or unsound(more[at]) or guard_type(held(agent), 'zset')
    if wrong then
      return wrong
    end
  end
  if choose(math.min(wanted, free), us, ms, got) then
    return { '- p' }
  end
end
if most then
  count_tasks('task:', agent, ms)
end
table.insert(got, 1, '- -')
return got
