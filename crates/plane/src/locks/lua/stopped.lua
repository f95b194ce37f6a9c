-- purpose: Whether an agent was revoked, and in which incarnation.
-- gives: stopped
-- writes: 0
-- What it held passes on by itself; whatever it still does changes nothing, and it hears why.
local function stopped(agent)
  local known = redis.call('HMGET', record_of(agent), 'epoch', 'revoked')
  return known[2] and tonumber(known[2]) >= (tonumber(known[1]) or 0) and known[1]
end
