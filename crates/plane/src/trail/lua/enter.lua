-- purpose: Writes one record at the end of the trail.
-- gives: enter
-- writes: 4
-- `keys` are the trail, its head and the requests that have their record; `words` are who, via, action, target,
-- result, before and after.
local function enter(keys, request, words, us, ms)
  local old = redis.call('ZRANGEBYSCORE', keys[3], '-inf', digits(ms - 172800000), 'LIMIT', 0, 20)
  local number = redis.call('HINCRBY', keys[2], 'recorded', 1) -- drains: a number that is there
  redis.call('XADD', keys[1], '*', 'n', digits(number), 'at', iso(us), 'who', words[1], 'via', words[2], 'action', words[3], -- drains: what is done to a full server must be known
    'target', words[4], 'before', words[6], 'after', words[7], 'request', request, 'result', words[5])
  redis.call('ZADD', keys[3], digits(ms), request) -- drains: as above, and the old ones leave
  if #old > 0 then
    redis.call('ZREM', keys[3], unpack(old))
  end
  return number
end
