-- purpose: Remembers the answers to the last calls of a session, so that a repeated call gets the first answer.
-- gives: recall, remember
-- writes: 3
-- One hash per session: `n` the number of the last answer, `f` of the first one kept, `s:<number>` its request id,
-- `a:<id>` the answer. It is packed by cmsgpack, which keeps every byte of a string; an empty id asks for nothing.
local function recall(key, id)
  local packed = id ~= '' and redis.call('HGET', key, 'a:' .. id)
  return packed and cmsgpack.unpack(packed) or nil
end
local function remember(key, id, answer, keep, ttl_ms)
  if id == '' then
    return answer
  end
  local counts = redis.call('HMGET', key, 'n', 'f')
  local number = (tonumber(counts[1]) or 0) + 1
  local first = tonumber(counts[2]) or 1
  -- Usually one falls out; more after `keep` has been lowered, but never many at once.
  local gone = math.min(number - keep, first + 7)
  for old = first, gone do
    local field = string.format('s:%.0f', old)
    redis.call('HDEL', key, field, 'a:' .. (redis.call('HGET', key, field) or ''))
  end
  redis.call('HSET', key, 'n', number, 'f', math.max(first, gone + 1), -- drains: the ring is bounded
    string.format('s:%.0f', number), id, 'a:' .. id, cmsgpack.pack(answer))
  if ttl_ms then
    redis.call('PEXPIRE', key, ttl_ms)
  end
  return answer
end
