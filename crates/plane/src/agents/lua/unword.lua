#!lua flags=allow-oom
-- purpose: Says whether a member of a word set belongs there, and takes it out if asked to.
-- guarantee: An agent whose record has the word stays.
-- keys:
--   set     quorate.agents_by_role
--   record  quorate.agent
-- args:
--   agent   text     the member
--   word    text     the word of the set, as records have it
--   repair  integer  1 to take it out if it does not belong there
-- returns: { "checked", 1 if it does not belong there } | { "refused", reason, … }
-- writes: 1
-- use: guard_type
-- layout: plain-only, tagged counterpart unword_tagged

local refusal = guard_type(set, 'zset') or guard_type(record, 'hash')
if refusal then
  return refusal
end
local words = ' ' .. (redis.call('HGET', record, 'words') or '') .. ' '
if string.find(words, ' ' .. word .. ' ', 1, true) or not redis.call('ZSCORE', set, agent) then
  return { 'checked', 0 }
end
if repair == 1 then
  redis.call('ZREM', set, agent)
end
return { 'checked', 1 }
