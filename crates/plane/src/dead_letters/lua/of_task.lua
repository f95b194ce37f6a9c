-- purpose: Names a record among those of its task, for as long as the one of them that is kept longest.
-- gives: of_task
-- writes: 3
local function of_task(index, letter, at, name)
  local new = redis.call('EXISTS', index) == 0
  redis.call('ZADD', index, digits(at), name)
  local left = redis.call('PTTL', letter)
  if left < 0 then
    redis.call('PERSIST', index)
  else
    redis.call('PEXPIRE', index, left, new and 'NX' or 'GT')
  end
end
