-- purpose: What follows when a call has moved a run: it fails, it is over, or it goes on.
-- gives: concluded
-- writes: 0
local function concluded(impossible, us, ms)
  if impossible then
    return ended('failed', 'the join ' .. impossible .. ' can no longer be met', us, ms)
  end
  local known = redis.call('HMGET', run, 'open', 'terminal')
  if tonumber(known[1]) > 0 then
    return 'running'
  end
  if (tonumber(known[2]) or 0) > 0 then
    return ended('completed', '', us, ms)
  end
  return ended('failed', 'nothing is left to do, and no terminal stage was done', us, ms)
end
