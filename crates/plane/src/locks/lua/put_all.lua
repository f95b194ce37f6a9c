-- purpose: Sets several texts in one command, where the server has one for it and lets us use it.
-- gives: set_many, put_all
-- writes: 2
-- From Valkey 9.1 and Redis 8.4 on there is one; a command costs more than what it writes here. Each text stands behind its key.
local function set_many(texts, how, ttl)
  local count = #texts
  if count < 4 or (redis.VALKEY_VERSION_NUM or 0) < 0x90100 and redis.REDIS_VERSION_NUM < 0x80400 then
    return false
  end
  texts[count + 1], texts[count + 2] = how, ttl
  local done = type(redis.pcall('MSETEX', count / 2, unpack(texts))) == 'number'
  texts[count + 1], texts[count + 2] = nil, nil
  return done
end
local function put_all(texts, ttl)
  if set_many(texts, 'PX', ttl) then
    return
  end
  for at = 1, #texts, 2 do
    redis.call('SET', texts[at], texts[at + 1], 'PX', ttl)
  end
end
