-- purpose: The owner of a lock that a foreign client took through the seed's key, and when it lapses.
-- gives: foreign
-- writes: 0
-- A key of ours belongs to a hold, or has a fence in its hash. Anything else is not ours and is never taken.
local function foreign(ref, lock, seed, ms)
  local owner
  if ref:sub(1, 5) == 'task:' or ref:sub(1, 9) == 'resource:' then
    local shown = redis.call('HMGET', seed, 'holder_agent_id', 'exclusive_holder', 'fence_token', 'holders', 'mode')
    if shown[3] or not (shown[1] or shown[2] or shown[4] or shown[5]) then
      return nil
    end
    owner = shown[1] or shown[2] or 'a foreign client'
  else
    for _, hold in ipairs(lock.h) do
      if hold.k == seed and hold.u > 0 then
        return nil
      end
    end
    owner = redis.call('GET', seed)
    if not owner then
      return nil
    end
  end
  local left = redis.call('PTTL', seed)
  return owner, left >= 0 and ms + left or 0
end
