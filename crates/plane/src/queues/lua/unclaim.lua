-- purpose: Takes a claim off the books and gives its item; whoever calls decides where the item goes.
-- gives: unclaim
-- writes: 3
-- What an agent holds is an index: one that was spoiled is in nobody's way.
local function unclaim(queue, mark, claim, who)
  local value = redis.call('HGET', claims(queue), claim)
  redis.call('ZREM', agenda(queue), mark)
  redis.pcall('ZREM', held(who), queue .. ' ' .. mark)
  count_tasks('task:', who, select(2, now()))
  if not value then
    return nil
  end
  redis.call('HDEL', claims(queue), claim)
  local attempts, id, name, class, life, fence, item =
    value:match('^%d+ %S+ (%d+) (%S+) (%S+) (%S+) (%S+) (%S+) (.*)$')
  return { attempts = tonumber(attempts), id = id ~= '-' and id or item_id(item) or 'x' .. fence, name = name, class = class,
    life = life, fence = fence, item = item }
end
