-- purpose: How many tasks an agent holds and waits for, counted from the holds themselves so that it cannot leak.
-- gives: is_full, count_tasks
-- writes: 1
local function tasks_held(agent, ms)
  local count = 0
  for _, member in ipairs(redis.call('ZRANGEBYSCORE', holds(agent), digits(ms), '+inf')) do
    count = count + (member:sub(1, 5) == 'task:' and 1 or 0)
  end
  return count
end
local function is_full(ref, agent, ms)
  local most = ref:sub(1, 5) == 'task:' and redis.call('HGET', record_of(agent), 'max_tasks')
  return most and tasks_held(agent, ms) >= tonumber(most) and most
end
local function count_tasks(ref, agent, ms)
  if ref:sub(1, 5) == 'task:' and redis.call('EXISTS', capacity_of(agent)) == 1 then
    redis.call('HSET', capacity_of(agent), 'active_tasks', tasks_held(agent, ms), -- drains: it replaces values
      'queued_tasks', redis.call('HLEN', waits(agent)))
  end
end
