-- purpose: Sets several texts that end at the same time, in one command where the server has one for it and lets us use it.
-- gives: put_all
-- writes: 2
-- From Valkey 9.1 and Redis 8.4 on there is one; a command costs more than what it writes here. Each text stands behind its key.
local function put_all(texts, ttl)
  local count = #texts
  if count > 2 and ((redis.VALKEY_VERSION_NUM or 0) >= 0x90100 or redis.REDIS_VERSION_NUM >= 0x80400) then
    texts[count + 1], texts[count + 2] = 'PX', ttl
    if type(redis.pcall('MSETEX', count / 2, unpack(texts))) == 'number' then
      return
    end
  end
  for at = 1, count, 2 do
    redis.call('SET', texts[at], texts[at + 1], 'PX', ttl)
  end
end
