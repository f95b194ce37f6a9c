-- purpose: How many task locks an agent holds now, counted from the holds themselves so that it cannot leak.
-- gives: tasks_held
-- writes: 0
local function tasks_held(agent, ms)
  local count = 0
  for _, member in ipairs(redis.call('ZRANGEBYSCORE', holds(agent), digits(ms), '+inf')) do
    count = count + (member:sub(1, 5) == 'task:' and 1 or 0)
  end
  return count
end
