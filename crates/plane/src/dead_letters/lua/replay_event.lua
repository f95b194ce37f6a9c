#!lua
-- purpose: Delivers an event again that a group could not take.
-- guarantee: To that group alone, once for each time its letter is opened. If the stream no longer has the entry it is
--   published again, which every group sees.
-- keys:
--   audit   quorate.dead_audit
--   stream  reverie.events   or any other stream with groups
-- reaches:
--   letter  quorate.dead_letter
--   view    quorate.dead_view
-- args:
--   request  request  the id of the call
--   cap      integer  most replays of one letter
--   who      text     who asks
--   entry    json     what else the history keeps, as further fields of an object
--   name     text     the letter
-- returns: { line }: `replayed ID` or `refused REASON DETAIL`
-- writes: 8
-- use: now, iso, guard_type, dead_lists, reborn
-- layout: plain-only, tagged counterpart replay_event_tagged

local refusal = guard_type(stream, 'stream') or guard_type(audit, 'stream')
if refusal then
  return refusal
end
local us = now()
local known, said = judged(name)
if said then
  return { said }
end
local group, id = known[7], known[8]
local there = redis.call('XRANGE', stream, id, id)[1]
local taken = there and redis.pcall('XCLAIM', stream, group, 'replay', 0, id, 'IDLE', 86400000, 'RETRYCOUNT', 0, 'FORCE', 'JUSTID')
if not taken or taken.err or #taken == 0 then
  local fields = cmsgpack.unpack(redis.call('HGET', letter(name), 'fields'))
  fields[#fields + 1], fields[#fields + 2] = 'replay_of', id
  id = redis.call('XADD', stream, '*', unpack(fields))
end
reborn(name, known, tonumber(known[3] or '0') + 1, id, us)
return { 'replayed ' .. id }
