#!lua flags=allow-oom
-- purpose: Hands items back that were not worked on.
-- guarantee: Only whoever holds them; no attempt is counted, and they are the next to be claimed, or wait as long as is said.
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
-- args:
--   queue  text  the queue of all of them
--   agent  text  who has them
--   epoch  text  its epoch, or empty for the current one
--   wait_ms  integer  how long nobody may claim them, or 0
-- rest: tokens
-- returns: { how many } | { "refused", reason, detail }
-- writes: 16
-- use: now, admit, guard_type, sound, facts, lanes, tasks, unclaim, pack, put_off
-- layout: plain-only, tagged counterpart give_back_tagged

local _, ms = now()
local refused = admit(agents(agent), epoch, ms)
if refused then
  return refused
end
local wrong = unsound(queue)
if wrong then
  return wrong
end
local count = 0
for _, token in ipairs(tokens) do
  local mark = token .. '.' .. agent
  local ends, claim = redis.call('ZSCORE', agenda(queue), mark), token:match('%.(.*)$')
  local name, class = (redis.call('HGET', claims(queue), claim) or ''):match('^%d+ %S+ %d+ %S+ (%S+) (%S+)')
  local kept = not ends or tonumber(ends) <= ms or name and barred(queue, name, class)
  local held_back = not kept and unclaim(queue, mark, claim, agent)
  if held_back then
    count = count + 1
    local record = record_of(held_back, held_back.attempts - 1)
    if wait_ms > 0 then
      put_off(queue, record, ms + wait_ms)
    elseif held_back.name ~= '-' then
      enter_lane(queue, record, held_back.name, true)
    else
      put_off(queue, record, math.min(item_at(held_back.item) or ms, ms))
    end
  end
end
return { string.format('%.0f', count) }
