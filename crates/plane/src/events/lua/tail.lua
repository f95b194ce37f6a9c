#!lua flags=no-writes
-- purpose: Reads on from a place, and says how many entries were lost between that place and what is there.
-- guarantee: What is read and what is said to be lost are of one moment.
-- keys:
--   stream  reverie.events   or any other stream
-- args:
--   after   text     the last entry read, 0-0 for none
--   place   integer  how many entries lie up to it; -1 if not known
--   count   integer  most entries
-- returns: { "tail", place, lost, last, entries } | { "refused", reason, detail }
-- writes: 0
-- use: guard_type, survey
-- layout: any

local refusal = guard_type(stream, 'stream')
if refusal then
  return refusal
end
local now_at = survey()
if not now_at then
  return { 'tail', 0, 0, '0-0', {} }
end
local lost = 0
if place >= 0 and before(after, now_at.first or now_at.last) and now_at.gone > place then
  lost = now_at.gone - place
  place = now_at.gone
end
local entries = redis.call('XRANGE', stream, '(' .. after, '+', 'COUNT', count)
-- Whoever has come to the end knows where that is.
if #entries < count then
  place = now_at.added
elseif place >= 0 then
  place = place + #entries
end
return { 'tail', place, lost, now_at.last, entries }
