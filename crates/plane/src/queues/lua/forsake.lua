#!lua flags=allow-oom
-- purpose: Ends the leases of what an agent claimed, once it is dead, revoked or past its own lease.
-- guarantee: A living agent loses nothing by it; the items are the next to be claimed.
-- keys:
-- reaches:
--   agents  quorate.agent
--   agenda  quorate.queue_agenda
--   held    quorate.queue_held
--   wake    quorate.queue_wake
-- args:
--   agent  text     whose claims
--   most   integer  how many at once
-- returns: { "forsaken", how many, how many are left }
-- writes: 2
-- use: now
-- layout: plain-only, tagged counterpart forsake_tagged

local _, ms = now()
local known = redis.call('HMGET', agents(agent), 'epoch', 'revoked', 'lease_until')
if known[1] and not (known[2] and tonumber(known[2]) >= tonumber(known[1])) and tonumber(known[3]) > ms then
  return { 'forsaken', '0', '0' }
end
local done = redis.call('ZRANGE', held(agent), 0, most - 1)
for _, member in ipairs(done) do
  local queue, mark = member:match('^(%S+) (%S+)$')
  if queue then
    -- It waits from now on: an earlier moment would show as its age.
    redis.call('ZADD', agenda(queue), 'XX', string.format('%.0f', ms), mark) -- drains: it replaces a score
    redis.call('PUBLISH', wake(queue), mark)
  end
  redis.call('ZREM', held(agent), member)
end
return { 'forsaken', string.format('%.0f', #done), string.format('%.0f', redis.call('ZCARD', held(agent))) }
