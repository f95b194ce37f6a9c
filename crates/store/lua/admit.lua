-- purpose: Refuses an agent that is unknown, dead, replaced by a newer incarnation or revoked.
-- gives: admit
-- writes: 0
-- Gives nil, the epoch, the one further field that was asked for, whether it is to drain, when its lease ends, how many tasks
-- it may hold and the words it is found by (unless another field was asked for), or a refusal. An empty epoch means the current one.
-- Revoked comes first: an agent that was stopped hears so, and not that it may register, after its session is gone too.
local function admit(record, epoch, ms, also)
  local known = redis.call('HMGET', record, 'epoch', 'revoked', 'dead_at', 'drain', 'max_tasks', also or 'words', 'lease_until')
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
  return nil, known[1], known[6], known[4], known[7], known[5], ' ' .. (known[6] or '') .. ' '
end
