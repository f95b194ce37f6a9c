#!lua flags=no-writes
-- purpose: Shows what is in an inbox.
-- guarantee: It changes nothing.
-- keys:
--   inbox    reverie.inbox
--   letters  quorate.letters
--   adopted  quorate.adopted
-- reaches:
--   message  quorate.message
-- args:
--   most    integer  how many messages
--   newest  integer  1 for the newest first, 0 for the oldest
-- returns: { "inbox", how many wait, how many are unread, { id or "", element, time… }, … } | { "refused", reason, … }
-- writes: 0
-- use: guard_type, find
-- layout: plain-only, tagged counterpart peek_tagged

local refusal = guard_type(inbox, 'list') or guard_type(letters, 'zset') or guard_type(adopted, 'hash')
if refusal then
  return refusal
end
local waiting = redis.call('LLEN', inbox)
local answer = { 'inbox', waiting, math.max(0, waiting - redis.call('ZCOUNT', letters, 2, 2)) }
local elements = newest == 1 and redis.call('LRANGE', inbox, 0, most - 1) or redis.call('LRANGE', inbox, -most, -1)
for step = 1, #elements do
  local element = elements[newest == 1 and step or #elements + 1 - step]
  local id = own_id(element)
  if not id and newest == 0 then
    local ids = given_ids(redis.sha1hex(element))
    id = ids[ids.met]
  end
  answer[#answer + 1] = told(id or '', element)
end
return answer
