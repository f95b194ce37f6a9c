#!lua
-- purpose: Puts items at the head of the seed's list.
-- guarantee: All of them or none; a repeated call puts them there once.
-- keys:
--   list  reverie.task_queue   or ade.job_queue
-- reaches:
--   calls   quorate.queue_calls
--   state   quorate.queue_state
--   agenda  quorate.queue_agenda
--   delayed quorate.queue_delayed
-- args:
--   queue    text     which one
--   process  text     whose call it is
--   slot     text     which of its lanes, or empty for a call that is not repeated
--   seq      text     the number of the call in that lane
--   cap      integer  most items that may wait, 0 for any number
-- rest: items
-- returns: how many wait now | { "refused", reason, detail }
-- writes: 6
-- use: now, mark_call
-- later: full, waiting
-- layout: plain-only, tagged counterpart push_tagged

local _, ms = now()
local known = slot ~= '' and redis.call('HGET', calls(process), slot)
if known and superseded(known) then
  return tonumber(known:match(' (%d+)$')) or 0
end
local function put()
  local at = '{"at":' .. string.format('%.0f', ms) .. ','
  for place = 1, #items do
    items[place] = at .. items[place]
  end
  local length = redis.pcall('LPUSH', list, unpack(items))
  if type(length) == 'table' then
    return { 'refused', 'wrong_type', list }
  end
  mark_call(length)
  return length
end
if cap == 0 then
  return put()
end
-- later

local kind = redis.call('TYPE', list).ok
if kind ~= 'none' and kind ~= 'list' then
  return { 'refused', 'wrong_type', list }
end
local depth = waiting(ms)
if depth + #items > cap then
  return full(depth, ms)
end
return put()
