-- purpose: Which message an element of an inbox is: ours by the id it carries, another client's by the id it was given.
-- gives: own_id, given_ids, told
-- writes: 0
-- An element is ours only if it is byte for byte what its record says. Equal elements of other clients cannot be told
-- apart and need not be: the oldest has the first of the ids that were given to their SHA-1.
local function own_id(element)
  local id = element:match('^{"id":"(%w[%w._@+-]*)"')
  if id and #id <= 128 and redis.call('HGET', message(id), 'element') == element then
    return id
  end
end
local given = {}
local function given_ids(sum)
  if not given[sum] then
    given[sum] = { met = 0 }
    for id in (redis.call('HGET', adopted, sum) or ''):gmatch('%S+') do
      table.insert(given[sum], id)
    end
  end
  given[sum].met = given[sum].met + 1
  return given[sum]
end
local function told(id, element)
  local known = id ~= '' and redis.call('HMGET', message(id), 'sent_at', 'ack_by', 'delivered_at', 'read_at', 'acked_at',
    'acted_on', 'acted_at', 'escalated_at', 'taken_at', 'foreign', 'thread') or {}
  local answer = { id, element }
  for place = 1, 11 do
    answer[place + 2] = known[place] or ''
  end
  return answer
end
