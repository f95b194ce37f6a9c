#!lua
-- purpose: Notes what somebody found out about a dead letter.
-- guarantee: The note, who wrote it and when stay with the letter and in the audit.
-- keys:
--   audit  quorate.dead_audit
-- reaches:
--   letter  quorate.dead_letter
-- args:
--   name   text  which one
--   who    text  who looked
--   note   text  what was found; empty to take the mark away
--   entry  json  what else the history keeps, as further fields of an object
-- returns: { "investigated" | "unreviewed" } | { "refused", reason, detail }
-- writes: 4
-- use: now, iso, guard_type
-- layout: plain-only, tagged counterpart investigate_tagged

local us = now()
local refusal = guard_type(audit, 'stream')
if refusal then
  return refusal
end
if redis.call('EXISTS', letter(name)) == 0 then
  return { 'refused', 'no_letter', name }
end
local word = note ~= '' and 'investigated' or 'unreviewed'
if note ~= '' then
  redis.call('HSET', letter(name), 'note', note, 'investigated_by', who)
else
  redis.call('HDEL', letter(name), 'note', 'investigated_by')
end
redis.call('HSET', letter(name), 'history', (redis.call('HGET', letter(name), 'history') or '')
  .. '{"at":"' .. iso(us) .. '","event":"' .. word .. '",' .. entry .. '}\n')
redis.call('XADD', audit, '*', 'event', 'dead.' .. word, 'ts', iso(us), 'actor', who, 'letter', name, 'note', note)
return { word }
