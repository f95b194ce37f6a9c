#!lua
-- purpose: Puts items where they belong: the seed's list, a lane, or among those that are due later.
-- guarantee: An item with a key is there once, however often it is pushed, and every push is told the same id.
-- keys:
--   list  reverie.task_queue   or ade.job_queue
-- reaches:
--   calls    quorate.queue_calls
--   state    quorate.queue_state
--   agenda   quorate.queue_agenda
--   delayed  quorate.queue_delayed
--   lane     quorate.queue_lane
--   ready    quorate.queue_ready
--   classes  quorate.queue_classes
--   busy     quorate.queue_busy
--   wake     quorate.queue_wake
--   marks    quorate.queue_key
--   claims   quorate.queue_claims
-- args:
--   queue    text     which one
--   process  text     whose call it is
--   slot     text     which of its lanes, or empty for a call that is not repeated
--   seq      text     the number of the call in that lane
--   cap      integer  most items that may wait, 0 for any number
--   key      text     what makes it the same as an earlier one, with the queue before it; or empty
--   name     text     its lane, or -
--   class    text     the capabilities it needs, or -
--   wait_ms  integer  how long until it may be claimed
--   id       text     its id if it is new
--   body     text     the item without its time
-- returns: { "pushed", id, how many wait now, where that is capped } | { "same", id } | { "refused", reason, detail }
-- writes: 16
-- use: now, guard_type, mark_call, full, waiting, facts, lanes, sound, put_off
-- layout: plain-only, tagged counterpart place_tagged

local _, ms = now()
local known = slot ~= '' and redis.call('HGET', calls(process), slot)
if known and superseded(known) then
  return { 'pushed', id, known:match(' (%S+)$') }
end
local same = key ~= '' and redis.call('GET', marks(key))
if same then
  return { 'same', same }
end
local wrong = guard_type(list, 'list') or unsound(queue)
  or barred(queue, name, class)
if wrong then
  return wrong
end
local depth = cap > 0 and waiting(ms) or 0
if cap > 0 and depth + 1 > cap then
  return full(depth, ms)
end
if key ~= '' then
  redis.call('SET', marks(key), id, 'PX', 604800000)
end
local item = '{"at":' .. string.format('%.0f', ms) .. ',' .. body
local record = '0 ' .. id .. ' ' .. name .. ' ' .. class .. ' - 0 ' .. item
if wait_ms > 0 then
  put_off(queue, record, ms + wait_ms)
elseif name ~= '-' then
  enter_lane(queue, record, name, false)
else
  redis.call('LPUSH', list, item)
end
depth = depth + 1
mark_call(depth)
return { 'pushed', id, string.format('%.0f', depth) }
