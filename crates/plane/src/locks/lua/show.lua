-- purpose: Writes what the seeds' readers see of a lock: its own key, and ade's registry and indexes.
-- gives: show_hold, hide_hold, list_hold, shown_line, shown_otherwise
-- writes: 13
-- A named, project or file lock is a string with its owner; a task lock and a resource lock are hashes. A hold whose end
-- is 0 is one that the seed's key no longer shows: the key is gone or somebody else's, and stays as it is.
local function holder_json(hold)
  return '{"agent_id":"' .. hold.a .. '","acquired_at":"' .. iso(hold.t) .. '"}'
end
-- Of many holders one is put in or cut out; it would take too long to write all of them again each time. `anew` asks for it.
local function spliced(hold, gone)
  local text = redis.call('HGET', hold.k, 'holders') or ''
  local first, last = text:find(holder_json(gone or hold), 1, true)
  if gone and first then
    text = text:sub(1, first - 1) .. text:sub(last + 2)
    return text:sub(-1) == ']' and text or text:sub(1, -2) .. ']'
  end
  if text:sub(-2) == '}]' and not gone then
    return first and text or text:sub(1, -2) .. ',' .. holder_json(hold) .. ']'
  end
end
local function holders_json(lock, hold, gone)
  if lock.json then
    return lock.json, lock.last, nil
  end
  local parts, last, exclusive = {}, 0, nil
  for _, one in ipairs(lock.h) do
    last = math.max(last, one.u)
    exclusive = one.m == 'x' and one.a or exclusive
  end
  local json = #lock.h > 32 and not lock.anew and spliced(hold, gone)
  for place, one in ipairs(json and {} or lock.h) do
    parts[place] = holder_json(one)
  end
  return json or '[' .. table.concat(parts, ',') .. ']', last, exclusive
end
local function show_ade(ref, lock, hold, ms, gone)
  local left = math.max(1, hold.u - ms)
  if ref:sub(1, 5) == 'task:' then
    redis.call('HSET', hold.k, 'holder_agent_id', hold.a, 'acquired_at', iso(hold.t), 'expires_at', iso(hold.u * 1000),
      'purpose', hold.p, 'heartbeat_count', hold.n, 'queue_length', lock.w, 'fence_token', digits(hold.f), 'epoch', hold.e)
  else
    local json, last, exclusive = holders_json(lock, hold, gone)
    left = math.max(1, last - ms)
    redis.call('HSET', hold.k, 'mode', exclusive and 'exclusive' or 'shared', 'holders', json,
      'exclusive_holder', exclusive or '', 'acquired_at', iso(hold.t), 'expires_at', iso(last * 1000),
      'fence_token', digits(lock.f))
    redis.call('SADD', by_type(ref:match('^resource:([^:]+):')), hold.k)
  end
  redis.call('PEXPIRE', hold.k, left)
  redis.call('ZADD', registry(), string.format('%.3f', (ms + left) / 1000), hold.k)
end
local function list_hold(ref, hold)
  redis.call('ZADD', holds(hold.a), hold.u, ref .. ' ' .. hold.m)
  if ref:sub(1, 5) == 'task:' or ref:sub(1, 9) == 'resource:' then
    redis.call('SADD', index_of(hold.a), hold.k)
  end
end
local function show_hold(ref, lock, hold, ms, gone)
  list_hold(ref, hold)
  if ref:sub(1, 5) == 'task:' or ref:sub(1, 9) == 'resource:' then
    show_ade(ref, lock, hold, ms, gone)
  else
    redis.call('SET', hold.k, hold.a, 'PX', math.max(1, hold.u - ms))
  end
end
-- Of several that go at once only the last writes what is left; a string has a key of its own.
local function hide_hold(ref, lock, hold, ms, more)
  local ade = ref:sub(1, 5) == 'task:' or ref:sub(1, 9) == 'resource:'
  if ade then
    redis.call('ZREM', holds(hold.a), ref .. ' ' .. hold.m)
    redis.call('SREM', index_of(hold.a), hold.k)
  end
  if ade and more then
    return
  end
  if ade and #lock.h > 0 and lock.h[1].u > 0 then
    show_hold(ref, lock, lock.h[1], ms, hold)
    return
  end
  if hold.u > 0 then
    redis.call('DEL', hold.k)
  end
  if ade and (hold.u > 0 or redis.call('EXISTS', hold.k) == 0) then
    redis.call('ZREM', registry(), hold.k)
    if ref:sub(1, 9) == 'resource:' then
      redis.call('SREM', by_type(ref:match('^resource:([^:]+):')), hold.k)
    end
  end
end
-- How many wait for a task, as ade's readers see it.
local function shown_line(hold)
  return redis.call('HGET', hold.k, 'queue_length')
end
-- Which field says something else than the record; of many readers their list is spliced, so its order may be another.
local function shown_otherwise(lock, hold, task)
  local said = redis.call('HMGET', hold.k, 'fence_token', task and 'holder_agent_id' or 'holders', task and 'fence_token' or 'exclusive_holder')
  local list, _, exclusive = holders_json({ h = lock.h, anew = true }, hold)
  if said[1] ~= digits(task and hold.f or lock.f) then
    return 'token'
  elseif task and said[2] ~= hold.a or not task and (said[3] or '') ~= (exclusive or '') or (not task and #lock.h <= 32 and said[2] ~= list) then
    return 'holder'
  end
end
