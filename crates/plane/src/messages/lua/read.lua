#!lua flags=allow-oom
-- purpose: Gives an agent its oldest messages that are not acknowledged, and notes that they were read.
-- guarantee: Nothing leaves the inbox before it is acknowledged; a message of another client gets an id that stays.
-- keys:
--   record   quorate.agent
--   inbox    reverie.inbox
--   letters  quorate.letters
--   adopted  quorate.adopted
--   mailed   quorate.mailed
-- reaches:
--   message  quorate.message
-- args:
--   agent   text     whose inbox
--   epoch   text     its epoch, or empty
--   most    integer  how many messages
--   unread  integer  1 to leave out those that were read before
--   mint    text     what new ids begin with
-- returns: { "read", how many wait, how many are unread now, { id, element, time… }, … } | { "refused", reason, … }
-- writes: 7
-- use: now, digits, guard_type, admit, vouch, find
-- layout: plain-only, tagged counterpart read_tagged

local us, ms = now()
local refusal = guard_type(record, 'hash') or guard_type(inbox, 'list') or guard_type(letters, 'zset')
  or guard_type(adopted, 'hash') or guard_type(mailed, 'zset') or vouch(record, epoch, ms)
if refusal then
  return refusal
end
local time = digits(us)
local function adopt(sum, ids, element)
  -- Numbers tell equal elements apart, and a part of the SHA-1 different ones, also when a lost reply is asked for again.
  local id = mint .. '.' .. sum:sub(1, 16) .. '.' .. ids.met
  ids[ids.met] = id
  redis.call('HSET', adopted, sum, table.concat(ids, ' ')) -- drains: without an id it could not be acknowledged
  redis.call('HSET', message(id), 'to', agent, 'element', element, 'sent_at', time, 'foreign', sum) -- drains: as before
  redis.call('ZADD', mailed, string.format('%.3f', us / 1000), id) -- drains: as before
  redis.call('PEXPIRE', mailed, 604800000)
  return id
end
local waiting = redis.call('LLEN', inbox)
local skip = unread == 1 and math.min(2000, redis.call('ZCOUNT', letters, 2, 2)) or 0
local elements = redis.call('LRANGE', inbox, -(most + skip), -1)
local answer = { 'read', waiting, 0 }
for place = #elements, 1, -1 do
  if #answer == most + 3 then
    break
  end
  local element = elements[place]
  local id = own_id(element)
  if not id then
    local sum = redis.sha1hex(element)
    local ids = given_ids(sum)
    id = ids[ids.met] or adopt(sum, ids, element)
  end
  local rung = tonumber(redis.call('ZSCORE', letters, id) or '0')
  if rung < 2 or unread == 0 then
    if rung < 2 then
      redis.call('ZADD', letters, 2, id) -- drains: one member for a message that is there
      redis.call('HSETNX', message(id), 'delivered_at', time) -- drains: a field of it
      redis.call('HSETNX', message(id), 'read_at', time) -- drains: a field of it
    end
    answer[#answer + 1] = told(id, element)
  end
end
answer[3] = math.max(0, waiting - redis.call('ZCOUNT', letters, 2, 2))
return answer
