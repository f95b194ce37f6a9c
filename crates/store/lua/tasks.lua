-- purpose: How many tasks an agent has locked or claimed and waits for, counted from their leases so that it cannot leak.
-- gives: tasks_of, asked_of, count_tasks
-- reaches: holds quorate.lock_holds, waits quorate.lock_waits, capacity_of ade.agent_capacity, claimed_by quorate.queue_held, claims quorate.queue_claims
-- writes: 1
-- A claimed item that names a task, and the lock of that task, are one. An index that was spoiled counts for nothing.
local function item_text(member)
  local queue, claim = member:match('^(%S+) %d+%.([^.]+%.%d+g?)%.')
  local record = queue and redis.pcall('HGET', claims(queue), claim)
  return type(record) == 'string' and record:match('^%d+ %S+ %d+ %S+ %S+ %S+ %S+ %S+ (.*)$') or ''
end
local function naming(items, task)
  for place, item in ipairs(items) do
    if item == task or item:find('"' .. task .. '"', 1, true) or item:find('"' .. task .. '\\"', 1, true) then
      return place
    end
  end
end
-- With the lock that it is about to take, if one is named.
local function tasks_of(agent, ms, ref)
  local from, items = string.format('%.0f', ms), {}
  local members = redis.pcall('ZRANGEBYSCORE', claimed_by(agent), from, '+inf')
  local count = #members
  local locks = redis.pcall('ZRANGEBYSCORE', holds(agent), from, '+inf')
  locks[#locks + 1] = ref
  for _, member in ipairs(locks) do
    local task = member:match('^task:(%S+)')
    for place = #items + 1, task and math.min(#members, 64) or 0 do
      items[place] = item_text(members[place])
    end
    local place = task and naming(items, task)
    items[place or 0] = place and '' or nil
    count = count + (task and not place and 1 or 0)
  end
  return count
end
local function asked_of(agent)
  local wanted = 0
  for _, other in ipairs(redis.pcall('HVALS', waits(agent))) do
    wanted = wanted + (other:sub(1, 5) == 'task:' and 1 or 0)
  end
  return wanted
end
local function count_tasks(ref, agent, ms)
  if ref:sub(1, 5) == 'task:' and redis.pcall('HEXISTS', capacity_of(agent), 'max_tasks') == 1 then
    redis.call('HSET', capacity_of(agent), 'active_tasks', tasks_of(agent, ms), 'queued_tasks', asked_of(agent)) -- drains: it replaces values
  end
end
