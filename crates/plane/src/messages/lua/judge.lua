#!lua flags=allow-oom
-- purpose: Says what is wrong with one message of an inbox at this moment, and puts it right if asked to.
-- guarantee: A message that is in the inbox stays there; one that is not is noted as taken, and nothing else is changed.
-- keys:
--   inbox      reverie.inbox
--   letters    quorate.letters
--   adopted    quorate.adopted
--   deadlines  quorate.ack_deadlines
--   note       quorate.message
-- args:
--   id      text     the message
--   commit  integer  1 to put it right
-- returns: { "judged", "" | "taken" | "unlisted" | "undated" | "unknown" } | { "refused", reason, … }
-- writes: 7
-- use: now, digits, guard_type
-- layout: plain-only, tagged counterpart judge_tagged

local refusal = guard_type(inbox, 'list') or guard_type(letters, 'zset') or guard_type(adopted, 'hash')
  or guard_type(deadlines, 'zset') or guard_type(note, 'hash')
if refusal then
  return refusal
end
local us = now()
local known = redis.call('HMGET', note, 'element', 'acked_at', 'foreign', 'ack_by', 'escalated_at', 'read_at')
local listed = redis.call('ZSCORE', letters, id)
if not known[1] then
  if commit == 1 then
    redis.call('ZREM', letters, id)
  end
  return { 'judged', listed and 'unknown' or '' }
end
-- Equal elements of other clients need as many copies as ids were given to them.
local wanted, rank = 1, 0
if known[3] then
  for own in (redis.call('HGET', adopted, known[3]) or ''):gmatch('%S+') do
    rank = rank + 1
    wanted = own == id and rank or wanted
  end
end
local there = #redis.call('LPOS', inbox, known[1], 'RANK', -1, 'COUNT', wanted) >= wanted
local wrong = ''
if listed and not there then
  wrong = 'taken'
elseif there and not listed and not known[2] then
  wrong = 'unlisted'
elseif listed and known[4] and not known[5] and not redis.call('ZSCORE', deadlines, id) then
  wrong = 'undated'
end
if commit == 1 and wrong == 'taken' then
  redis.call('ZREM', letters, id)
  redis.call('ZREM', deadlines, id)
  redis.call('HSETNX', note, 'taken_at', digits(us)) -- drains: a field of a message that leaves
  redis.call('PEXPIRE', note, 604800000)
elseif commit == 1 and wrong == 'unlisted' then
  redis.call('ZADD', letters, known[6] and 2 or 0, id) -- drains: one member for a message that is there
elseif commit == 1 and wrong == 'undated' then
  redis.call('ZADD', deadlines, digits(tonumber(known[4]) / 1000), id) -- drains: as before
end
return { 'judged', wrong }
