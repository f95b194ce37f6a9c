-- purpose: Gives one item, from wherever it came, to the agent that claims.
-- gives: grant
-- writes: 3
-- A record is `attempts id lane class letter fence item`; a `-` stands for nothing. The name of a claim ends with `g` where
-- its end concerns others too: the next of its group, the dead letter whose second life it is, or an occurrence of a job.
local function grant(queue, record, us, ms, got)
  local attempts, id, name, class, life, item = record:match('^(%d+) (%S+) (%S+) (%S+) (%S+) %S+ (.*)$')
  local fence, ends = string.format('%.0f', last_fence(queue, 1, us)), string.format('%.0f', ms + lease_ms)
  local run = began(queue, item, ms)
  local claim = salt .. '.' .. (#got + 1) .. ((name:sub(1, 2) == 'g:' or life ~= '-' or run) and 'g' or '')
  local mark = fence .. '.' .. claim .. '.' .. agent
  local claimed = (attempts + 1) .. ' ' .. id .. ' ' .. name .. ' ' .. class .. ' ' .. life .. ' ' .. fence .. ' ' .. item
  redis.call('HSET', claims(queue), claim, lease_ms .. ' ' .. agent .. ' ' .. claimed)
  redis.call('ZADD', agenda(queue), ends, mark)
  redis.call('ZADD', held(agent), ends, queue .. ' ' .. mark)
  got[#got + 1] = queue .. ' ' .. ends .. ' ' .. claim .. ' ' .. claimed
end
