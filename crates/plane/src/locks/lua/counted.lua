-- purpose: Who of those that give tasks back states a capacity, and has its tasks counted again.
-- gives: counted
-- writes: 0
-- Hardly anybody does, so all of them are asked for at once. A wish begins with the lock and the agent.
local function counted(wishes)
  local agents, keys, states = {}, {}, {}
  for _, wish in ipairs(wishes) do
    local agent = wish:match('^task:%S+ (%S+)')
    if agent and not agents[agent] then
      agents[#agents + 1], agents[agent], keys[#keys + 1] = agent, true, capacity_of(agent)
    end
  end
  if keys[1] and redis.call('EXISTS', unpack(keys)) > 0 then
    for at, agent in ipairs(agents) do
      states[agent] = redis.call('EXISTS', keys[at]) == 1
    end
  end
  return states
end
