#!lua flags=allow-oom
-- purpose: Ends the leases of what an agent claimed, once it is dead, revoked or past its own lease.
-- guarantee: A living agent loses nothing by it; the items are the next to be claimed.
-- keys:
-- reaches:
--   agents  quorate.agent
--   held    quorate.queue_held
-- args:
--   agent  text     whose claims
--   most   integer  how many at once
-- returns: { "forsaken", how many, how many are left }
-- writes: 2
-- use: now, hand_back
-- layout: plain-only, tagged counterpart forsake_tagged

local _, ms = now()
local known = redis.call('HMGET', agents(agent), 'epoch', 'revoked', 'lease_until')
if known[1] and not (known[2] and tonumber(known[2]) >= tonumber(known[1])) and tonumber(known[3]) > ms then
  return { 'forsaken', '0', '0' }
end
local done = hand_back(agent, ms, most)
return { 'forsaken', string.format('%.0f', done), string.format('%.0f', redis.call('ZCARD', held(agent))) }
