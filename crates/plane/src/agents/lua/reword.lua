#!lua flags=allow-oom
-- purpose: Says whether an agent is found by the words its session has, and puts the sets right if asked to.
-- guarantee: Nothing is decided from a session that has changed since the caller read it.
-- keys:
--   session  reverie.session
--   record   quorate.agent
-- reaches:
--   by_role        quorate.agents_by_role
--   by_capability  quorate.agents_by_capability
-- args:
--   agent         text     who
--   role          text     the role the caller has read, or empty
--   capabilities  text     the capabilities the caller has read, as they stand there
--   wanted        text     the words that follow from them
--   repair        integer  1 to put right what is wrong
-- returns: { "checked", what is wrong or "" } | { "changed" } | { "refused", reason, … }
-- writes: 3
-- use: guard_type, words
-- layout: plain-only, tagged counterpart reword_tagged

local refusal = guard_type(session, 'hash') or guard_type(record, 'hash')
if refusal then
  return refusal
end
local said = redis.call('HMGET', session, 'role', 'capabilities')
if redis.call('EXISTS', session) == 0 or (said[1] or '') ~= role or (said[2] or '') ~= capabilities then
  return { 'changed' }
end
local noted = redis.call('HGET', record, 'words') or ''
local leaves, joins = word_sets(noted), word_sets(wanted)
refusal = guard_sets(leaves, guard_type) or guard_sets(joins, guard_type)
if refusal then
  return refusal
end
local wrong = noted ~= wanted and ('is noted as ' .. (noted == '' and 'nothing' or noted)) or ''
for word in string.gmatch(wanted, '%S+') do
  local name = string.sub(word, 3)
  local found = string.sub(word, 1, 1) == 'r' and redis.call('ZSCORE', by_role(name), agent)
    or string.sub(word, 1, 1) == 'c' and redis.call('ZSCORE', by_capability(name), agent)
  if not found then
    wrong = 'is not found by ' .. word
  end
end
if wrong ~= '' and repair == 1 then
  leave(leaves, agent)
  join(joins, agent)
  redis.call('HSET', record, 'words', wanted) -- drains: it replaces a value
end
return { 'checked', wrong }
