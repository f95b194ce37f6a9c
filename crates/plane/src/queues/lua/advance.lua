#!lua flags=allow-oom
-- purpose: Acknowledges items and claims the next ones, in one round trip.
-- guarantee: As for an acknowledgement and a claim; what was acknowledged stays so even when nothing could be claimed.
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
--   calls    quorate.queue_calls
--   runs     quorate.job_runs
--   job_lock ade.job_lock
--   leases   quorate.agent_leases
--   session_of reverie.session
-- args:
--   agent        text     who claims
--   epoch        text     its epoch, or empty for the current one
--   wanted       integer  most items
--   lease_ms     integer  how long it has for them
--   salt         request  the id of the call
--   default_max  integer  most attempts of an item that does not say
--   repeated     again    whether it may have been done
--   queue        text     the queue of what is acknowledged
--   acks         integer  how many of the rest are acknowledged; queues to claim from follow
--   process      text     whose call it is
--   slot         text     which of its lanes
--   seq          text     the number of the call in that lane
-- rest: more
-- returns: { "REFUSED = ENDS FENCE", element… } | { "REFUSED WAIT", item… } | { "refused", reason, detail }
-- writes: 66
-- use: now, admit, allow, stay, fence, finish, mark_call, put_back, seize
-- later: guard_type, sound, dead_lists, bury, facts, occurrence, lanes, settle, grant, tasks, unclaim, pack, failed, sweep_due, draw, choose, again
-- layout: plain-only, tagged counterpart advance_tagged

local us, ms = now()
local refused, drain, most, repeats, lapsed = allow(agent, epoch, ms)
if refused then
  return refused
end
if lapsed then
  stay(agents(agent), agent, lapsed, ms)
end
local done, names, held_by, stale, grouped = finish(queue, acks, ms)
local short = not stale and not grouped
if short then
  strike(queue, done, names, held_by)
  mark_call('-')
end
local first = more[acks + 1]
if short and first:sub(1, 4) ~= 'job:' and not lists[2] and not drain and not most and redis.call('ZCOUNT', agenda(first), '-inf', ms) == 0
  and repeated == '' then
  local got = seize(first, lists[1], wanted, us, ms, '-')
  if got then
    return got
  end
  local head = redis.call('ZRANGE', agenda(first), 0, 0, 'WITHSCORES')
  return { '- ' .. (head[1] and head[2] - ms or '-') }
end
-- later

local verdict = short and '-' or settle(queue, done, names, held_by, stale, ms)
if repeated ~= '' then
  note_repeat(agent, repeats, salt)
end
local got = {}
for at = 1, repeated ~= '' and #lists or 0 do
  got = #got > 0 and got or again(more[acks + at], wanted)
end
local free = tonumber(most) and most - tasks_of(agent, ms) or wanted
local sound = not drain and free > 0 and not (repeated == '' and overtaken(repeats, salt))
for at, list in ipairs(lists) do
  sound = sound and not (guard_type(list, 'list') or unsound(more[acks + at]) or guard_type(held(agent), 'zset'))
end
if #got == 0 and sound and choose(math.min(wanted, free), us, ms, got) then
  return { verdict .. ' p' }
end
if most then
  count_tasks('task:', agent, ms)
end
table.insert(got, 1, verdict .. (sound and ' -' or ' x'))
return got
