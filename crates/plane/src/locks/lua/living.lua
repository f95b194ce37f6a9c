-- purpose: Whether an agent's incarnation may hold and wait: registered, not replaced, not revoked, within its lease.
-- gives: living, taking
-- writes: 0
local function living(agent, epoch, ms)
  local known = redis.call('HMGET', record_of(agent), 'epoch', 'revoked', 'lease_until', 'drain')
  return known[1] == epoch and not (known[2] and tonumber(known[2]) >= tonumber(epoch))
    and tonumber(known[3]) > ms, known[4]
end
-- Who is to finish what it has takes nothing new, though it has waited for it.
local function taking(agent, epoch, ms)
  local here, drain = living(agent, epoch, ms)
  return here and not drain
end
