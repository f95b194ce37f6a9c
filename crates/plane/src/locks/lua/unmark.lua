-- purpose: Takes tasks and resources that their only holder gives back from where ade's readers see them, and tells the world.
-- gives: unlist, unshow, tell_given
-- writes: 7
-- The same as hide_hold and tell do, for the one case in which nothing else has to be looked at: what an agent has listed, what
-- shows the locks of any agent, and a word about each.
local function unlist(agent, members, seeds)
  redis.call('ZREM', holds(agent), unpack(members))
  redis.call('SREM', index_of(agent), unpack(seeds))
end
local function unshow(seeds)
  redis.call('DEL', unpack(seeds))
  redis.call('ZREM', registry(), unpack(seeds))
end
local function tell_given(ref, agent, fence, seed, since)
  local task = ref:match('^task:(.+)$')
  if task then
    redis.call('PUBLISH', channel(task), 'released:' .. agent)
  else
    redis.call('SREM', by_type(ref:match('^resource:([^:]+):')), seed)
  end
  redis.call('XADD', events('lock'), '*', 'event', 'lock:released', 'timestamp', since, -- drains: history, trimmed by age
    'payload', '{"lock":"' .. ref .. '","agent_id":"' .. agent .. '","fence":"' .. fence .. '"}', 'source', 'quorate')
end
