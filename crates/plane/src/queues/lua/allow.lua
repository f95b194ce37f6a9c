-- purpose: Refuses an agent that is unknown, dead, replaced by a newer incarnation or revoked; as `admit`, and reads no more.
-- gives: allow
-- writes: 0
-- Gives a refusal or nil, whether it is to drain, and how many tasks it may hold. An empty epoch means the current one.
local function allow(agent, epoch, ms)
  local known = redis.call('HMGET', agents(agent), 'epoch', 'revoked', 'dead_at', 'drain', 'max_tasks')
  if not known[1] then
    return { 'refused', 'unregistered' }
  end
  if known[2] and tonumber(known[2]) >= tonumber(epoch ~= '' and epoch or known[1]) then
    return { 'refused', 'revoked', known[1] }
  end
  if (tonumber(known[3]) or 0) <= ms then
    return { 'refused', 'unregistered' }
  end
  if epoch ~= '' and epoch ~= known[1] then
    return { 'refused', 'stale_epoch', known[1] }
  end
  return nil, known[4], known[5]
end
