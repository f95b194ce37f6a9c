-- purpose: Who asks for a lock or for work is here: a lease that has ended, or is about to, begins anew.
-- gives: stay
-- writes: 3
-- Without it a lock or an item would be given to an agent that may hold nothing, and the next one who asks would get it
-- too. It is no heartbeat: the agent's session, and what is said of it, stay as they are.
local function stay(record, agent, epoch, ms)
  local known = redis.call('HMGET', record, 'epoch', 'revoked', 'dead_at', 'lease_ms')
  if known[1] ~= epoch or (known[2] and tonumber(known[2]) >= tonumber(epoch)) or (tonumber(known[3]) or 0) <= ms then
    return
  end
  local lapse = ms + (tonumber(known[4]) or 60000)
  -- First, since it fails by itself, with nothing done, if the leases are no sorted set.
  redis.call('ZADD', leases(), string.format('%.0f', lapse), agent) -- drains: one entry for an agent that is here
  redis.call('HSET', record, 'lease_until', string.format('%.0f', lapse)) -- drains: it replaces a value
  if redis.call('TYPE', session_of(agent)).ok == 'hash' then
    redis.call('HSET', session_of(agent), 'lease_until', string.format('%.3f', lapse / 1000)) -- drains: it replaces a value
  end
end
