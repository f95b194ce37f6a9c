#!lua
-- purpose: Takes on the recovery of leases that have lapsed.
-- guarantee: Each is given to one caller at a time; a caller that dies leaves it to the next, half a minute later.
-- keys:
--   due  quorate.task_leases
-- reaches:
--   lease  quorate.task_lease
-- args:
--   store   text     the prefix of the store
--   limit   integer  most leases
--   while_ms integer  how long the caller has
-- returns: { task, owner, token, action, queue, payload, attempt, max_retries, … }
-- writes: 3
-- use: now
-- layout: plain-only, tagged counterpart recover_tagged

local _, ms = now()
local answer = {}
if redis.call('TYPE', due).ok ~= 'zset' then
  return answer
end
for _, task in ipairs(redis.call('ZRANGEBYSCORE', due, '-inf', string.format('%.0f', ms), 'LIMIT', 0, math.min(limit, 1000))) do
  local name = store .. ':' .. task
  local known = redis.pcall('HMGET', lease(name), 'owner', 'token', 'action', 'queue', 'payload', 'attempt', 'max_retries')
  if known.err or not known[1] then
    redis.call('ZREM', due, task)
  else
    redis.call('HINCRBY', lease(name), 'recoveries', 1)
    redis.call('ZADD', due, string.format('%.0f', ms + while_ms), task)
    answer[#answer + 1] = task
    for field = 1, 7 do
      answer[#answer + 1] = known[field] or ''
    end
  end
end
return answer
