-- purpose: Whether an attempt is still the one under way, and what is taken away when it ends.
-- gives: current, put_down
-- writes: 3
-- `current` gives the moment its lease ends, or nothing.
local function current()
  local held = redis.call('HGET', inflight, signature)
  local own, until_ms = (held or ''):match('^{"attempt":(%d+),"lease_until":(%d+),')
  return own == attempt and tonumber(until_ms) or nil
end
local function put_down()
  redis.call('HDEL', inflight, signature)
  redis.call('ZREM', running, task .. ' ' .. signature)
  redis.call('ZREM', agenda, 'lease ' .. task .. ' ' .. stage .. ' ' .. signature)
end
