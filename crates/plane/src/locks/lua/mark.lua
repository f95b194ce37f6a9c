-- purpose: Shows ade's readers a task or a resource that was just taken for itself alone, and tells the world.
-- gives: mark
-- writes: 6
-- The same fields as show.lua and tell.lua write, for the one case in which nothing else has to be looked at. The registry and
-- the agent's index take several at once, so they are the caller's.
local function mark(ref, agent, seed, ttl, purpose, since, till, fence, current)
  local task = ref:match('^task:(.+)$')
  if task then
    redis.call('HSET', seed, 'holder_agent_id', agent, 'acquired_at', since, 'expires_at', till, 'purpose', purpose,
      'heartbeat_count', '0', 'queue_length', '0', 'fence_token', fence, 'epoch', current)
    redis.call('PUBLISH', channel(task), 'acquired:' .. agent)
  else
    redis.call('HSET', seed, 'mode', 'exclusive', 'holders', '[{"agent_id":"' .. agent .. '","acquired_at":"' .. since .. '"}]',
      'exclusive_holder', agent, 'acquired_at', since, 'expires_at', till, 'fence_token', fence)
    redis.call('SADD', by_type(ref:match('^resource:([^:]+):')), seed)
  end
  redis.call('PEXPIRE', seed, ttl)
  redis.call('XADD', events('lock'), '*', 'event', 'lock:acquired', 'timestamp', since, -- drains: history, trimmed by age
    'payload', '{"lock":"' .. ref .. '","agent_id":"' .. agent .. '","fence":"' .. fence .. '"}', 'source', 'quorate')
end
