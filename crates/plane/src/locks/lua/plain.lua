-- purpose: Whether a task or a resource still shows this hold, and no capacity has to be counted again for it.
-- gives: plain
-- writes: 0
local function plain(ref, agent, fence, seed)
  return redis.call('HGET', seed, 'fence_token') == fence
    and (not ref:find('^task:') or redis.call('EXISTS', capacity_of(agent)) == 0)
end
