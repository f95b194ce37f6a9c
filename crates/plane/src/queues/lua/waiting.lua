-- purpose: How many items of a queue wait: on the list, in lanes, for their time, and those whose lease ran out.
-- gives: waiting
-- writes: 0
-- The marks of the agenda itself are no items: a pause is before every moment, due items and ready lanes have one each.
local function waiting(ms)
  local due = tonumber(redis.call('ZSCORE', agenda(queue), '!d') or '0')
  local lapsed = redis.call('ZCOUNT', agenda(queue), 1, string.format('%.0f', ms)) - ((due >= 1 and due <= ms) and 1 or 0)
  return redis.call('LLEN', list) + redis.call('ZCARD', delayed(queue)) + lapsed
    + (tonumber(redis.call('HGET', state(queue), 'lanes') or '0'))
end
