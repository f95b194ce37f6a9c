#!lua flags=allow-oom
-- purpose: Says that an attempt failed: the item comes again after its backoff, or goes to the dead letters.
-- guarantee: Only whoever holds the item, within its lease; it is buried after exactly as many attempts as it may have.
-- keys:
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
-- args:
--   queue        text     its queue
--   agent        text     who had it
--   epoch        text     its epoch, or empty for the current one
--   process      text     whose call it is
--   slot         text     which of its lanes, or empty for a call that is not repeated
--   seq          text     the number of the call in that lane
--   token        text     the claim
--   wait_ms      integer  how long until it comes again, or -1 for the backoff
--   chance       integer  from 0 to 1000, spreads the backoff
--   reason       text     what went wrong
--   print        text     the fingerprint of it
--   default_max  integer  most attempts of an item that does not say
-- returns: { "retry", due } | { "dead", letter } | { "stale" } | { "refused", reason, detail }
-- writes: 38
-- use: now, admit, guard_type, mark_call, dead_lists, bury, facts, occurrence, lanes, sound, tasks, unclaim, pack, failed, put_off
-- layout: plain-only, tagged counterpart nack_tagged

local _, ms = now()
local refused = admit(agents(agent), epoch, ms)
if refused then
  return refused
end
local mark, claim = token .. '.' .. agent, token:match('%.(.*)$')
local ends = redis.call('ZSCORE', agenda(queue), mark)
if not ends or tonumber(ends) <= ms then
  local known = slot ~= '' and redis.call('HGET', calls(process), slot)
  local word, what = (known or ''):match('^' .. seq:gsub('%-', '%%-') .. ' (%a+),(%S+)$')
  if word then
    return { word, what }
  end
  redis.call('HINCRBY', state(queue), 'stale', 1) -- drains: a counter
  return { 'stale' }
end
local wrong = unsound(queue) or unburiable(grave(claim, redis.call('HGET', claims(queue), claim)), 'queue:' .. queue, print)
if wrong then
  return wrong
end
local failed = unclaim(queue, mark, claim, agent)
local answer
if failed.attempts >= item_most(failed.item, default_max) then
  answer = { 'dead', entomb(queue, claim, failed, reason, print, agent, ms) }
else
  local backoff = math.min(300000, 1000 * 2 ^ (failed.attempts - 1))
  local due = ms + (wait_ms >= 0 and wait_ms or math.floor(backoff * (0.5 + chance / 2000)))
  put_off(queue, record_of(failed, failed.attempts), due)
  ended(queue, failed.item, agent, 'queued', '', ms)
  answer = { 'retry', string.format('%.0f', due) }
end
mark_call(answer[1] .. ',' .. answer[2])
return answer
