-- purpose: Lanes of a queue: one for each group, of which one item at a time is out, and one for each set of capabilities.
-- gives: open_lane, close_lane, enter_lane, next_in, barred
-- writes: 10
-- A lane is listed under what its first item needs, so that a claim finds it without looking at any other.
-- One that another client has spoiled is passed over, and fsck lists it again; `barred` says so before an item is put there.
local function next_in(queue, name)
  local first = redis.pcall('LINDEX', lane(queue .. ':' .. name), 0)
  if type(first) == 'string' then
    local class, item = first:match('^%d+ %S+ %S+ (%S+) %S+ %S+ (.*)$')
    return class, item_at(item) or 0
  end
end
local function open_lane(queue, name)
  local class, at = next_in(queue, name)
  if class and not (name:sub(1, 2) == 'g:' and redis.pcall('SISMEMBER', busy(queue), name) == 1) then
    redis.pcall('ZADD', ready(queue .. ':' .. class), at, name)
    redis.pcall('ZADD', classes(queue), 0, class)
    redis.pcall('ZADD', agenda(queue), 0, '!g')
    redis.call('PUBLISH', wake(queue), name)
  end
end
local function close_lane(queue, class, name)
  redis.call('ZREM', ready(queue .. ':' .. class), name)
  if redis.call('EXISTS', ready(queue .. ':' .. class)) == 0 then
    redis.call('ZREM', classes(queue), class)
    if redis.call('EXISTS', classes(queue)) == 0 then
      redis.call('ZREM', agenda(queue), '!g')
    end
  end
end
local function barred(queue, name, class)
  return name ~= '-' and (guard_type(lane(queue .. ':' .. name), 'list') or guard_type(ready(queue .. ':' .. class), 'zset'))
end
-- An item that comes back goes to the front: what was pushed after it waits until it has ended.
local function enter_lane(queue, record, name, back)
  if back then
    redis.call('LPUSH', lane(queue .. ':' .. name), record)
    redis.call('SREM', busy(queue), name)
  else
    redis.call('RPUSH', lane(queue .. ':' .. name), record)
  end
  redis.call('HINCRBY', state(queue), 'lanes', 1)
  open_lane(queue, name)
end
