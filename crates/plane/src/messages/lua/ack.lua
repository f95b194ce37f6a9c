#!lua flags=allow-oom
-- purpose: Acknowledges messages, and may say what was done about them.
-- guarantee: Only the messages named leave the inbox; the first acknowledgement stays, whatever comes later.
-- keys:
--   record     quorate.agent
--   inbox      reverie.inbox
--   letters    quorate.letters
--   adopted    quorate.adopted
--   deadlines  quorate.ack_deadlines
-- reaches:
--   message  quorate.message
-- args:
--   agent  text  whose inbox
--   epoch  text  its epoch, or empty
--   acted  text  what was done about them, or empty
-- rest: ids
-- returns: { "acked", "acked" | "no_message" | "not_recipient" | "conflict", id, when or who or what, … } | { "refused", reason, … }
-- writes: 8
-- use: now, digits, guard_type, admit, vouch
-- layout: plain-only, tagged counterpart ack_tagged

local us, ms = now()
local refusal = guard_type(record, 'hash') or guard_type(inbox, 'list') or guard_type(letters, 'zset')
  or guard_type(adopted, 'hash') or guard_type(deadlines, 'zset') or vouch(record, epoch, ms)
if refusal then
  return refusal
end
local time = digits(us)
-- An element of another client: its id is taken from those that were given to its SHA-1.
local function disown(sum, id)
  local left = {}
  for own in (redis.call('HGET', adopted, sum) or ''):gmatch('%S+') do
    if own ~= id then
      left[#left + 1] = own
    end
  end
  if #left == 0 then
    redis.call('HDEL', adopted, sum)
  else
    redis.call('HSET', adopted, sum, table.concat(left, ' ')) -- drains: it replaces a longer value
  end
end
local function settle(id, element, sum)
  redis.call('LREM', inbox, -1, element)
  redis.call('ZREM', letters, id)
  redis.call('ZREM', deadlines, id)
  if sum then
    disown(sum, id)
  end
  redis.call('HSET', message(id), 'acked_at', time) -- drains: a field of a message that leaves
  redis.call('PEXPIRE', message(id), 604800000)
end
local answer = { 'acked' }
for _, id in ipairs(ids) do
  local known = redis.call('HMGET', message(id), 'to', 'element', 'acked_at', 'foreign', 'acted_on')
  local verdict, detail = 'acked', known[3] or time
  if not known[1] then
    verdict, detail = 'no_message', ''
  elseif known[1] ~= agent then
    verdict, detail = 'not_recipient', known[1]
  elseif known[5] and acted ~= '' and known[5] ~= acted then
    verdict, detail = 'conflict', known[5]
  else
    if not known[3] then
      settle(id, known[2], known[4])
    end
    if acted ~= '' and not known[5] then
      redis.call('HSET', message(id), 'acted_on', acted, 'acted_at', time) -- drains: a field of a message that leaves
    end
  end
  answer[#answer + 1], answer[#answer + 2], answer[#answer + 3] = verdict, id, detail
end
return answer
