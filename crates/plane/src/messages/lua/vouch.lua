-- purpose: Refuses whoever was revoked, and a stale incarnation that names its epoch.
-- gives: vouch
-- writes: 0
-- People and scripts send messages too, so a name that never registered passes; an agent that gives its epoch must live.
local function vouch(record, epoch, ms)
  if epoch ~= '' then
    return (admit(record, epoch, ms))
  end
  local known = redis.call('HMGET', record, 'epoch', 'revoked')
  if known[1] and known[2] and tonumber(known[2]) >= tonumber(known[1]) then
    return { 'refused', 'revoked', known[1] }
  end
end
