-- purpose: Takes a task or a resource that its only holder gives back from where ade's readers see it, and tells the world.
-- gives: unmark
-- writes: 7
-- The same as hide_hold and tell do, for the one case in which nothing else has to be looked at.
local function unmark(ref, agent, fence, seed, us)
  local task = ref:match('^task:(.+)$')
  redis.call('ZREM', holds(agent), ref .. ' x')
  redis.call('SREM', index_of(agent), seed)
  redis.call('DEL', seed)
  redis.call('ZREM', registry(), seed)
  if task then
    redis.call('PUBLISH', channel(task), 'released:' .. agent)
  else
    redis.call('SREM', by_type(ref:match('^resource:([^:]+):')), seed)
  end
  redis.call('XADD', events('lock'), '*', 'event', 'lock:released', 'timestamp', iso(us), -- drains: history, trimmed by age
    'payload', '{"lock":"' .. ref .. '","agent_id":"' .. agent .. '","fence":"' .. fence .. '"}', 'source', 'quorate')
end
