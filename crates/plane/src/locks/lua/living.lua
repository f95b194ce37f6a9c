-- purpose: Whether an agent's incarnation may hold and wait: registered, not replaced, not revoked, within its lease.
-- gives: living
-- writes: 0
local function living(agent, epoch, ms)
  local known = redis.call('HMGET', record_of(agent), 'epoch', 'revoked', 'lease_until')
  return known[1] == epoch and not (known[2] and tonumber(known[2]) >= tonumber(epoch))
    and tonumber(known[3]) > ms
end
