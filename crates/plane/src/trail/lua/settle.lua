#!lua flags=allow-oom
-- purpose: Writes the records of changes whose maker is not heard from any more.
-- guarantee: A change that was begun has one record, also if its maker died before it could say how it ended.
-- keys:
--   trail     quorate.trail
--   head      quorate.trail_head
--   requests  quorate.trail_requests
--   intents   quorate.trail_intents
-- args:
--   age_ms  integer  how long a change may take
--   most    integer  how many are looked at
-- returns: { "settled", how many } | { "refused", reason, … }
-- writes: 5
-- use: now, digits, iso, guard_type, enter
-- layout: plain-only, tagged counterpart settle_tagged

local refusal = guard_type(trail, 'stream') or guard_type(head, 'hash') or guard_type(requests, 'zset') or guard_type(intents, 'hash')
if refusal then
  return refusal
end
local us, ms = now()
local count = 0
-- Any of them: those that are left come with a later look.
local noted = redis.call('HRANDFIELD', intents, digits(most), 'WITHVALUES')
for place = 1, #noted, 2 do
  local words = cmsgpack.unpack(noted[place + 1])
  if tonumber(words[1]) + age_ms <= ms then
    if not redis.call('ZSCORE', requests, noted[place]) then
      table.remove(words, 1)
      enter({ trail, head, requests }, noted[place], words, us, ms)
      count = count + 1
    end
    redis.call('HDEL', intents, noted[place])
  end
end
return { 'settled', digits(count) }
