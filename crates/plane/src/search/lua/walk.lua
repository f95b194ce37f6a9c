-- purpose: Walks the shortest view of a search, newest first, and asks the seed's sets about the rest.
-- gives: walk_filters, walk_from, walk_chunk
-- writes: 0
-- A script that uses it reaches `task_set`, `task_all` and `search_view`.
-- The sets that must have a document, the view to walk, and the field whose set has more than its view (`all` for everything).
local function walk_filters(index, filters)
  local sets, view, field, least = {}, search_view(index .. ':all'), 'all', nil
  local wrong = guard_type(view, 'zset') or guard_type(task_all(), 'set')
  for place = 1, #filters, 2 do
    local word = filters[place] .. ':' .. search_word(filters[place + 1])
    local set, own = task_set(word), search_view(index .. ':' .. word)
    wrong = wrong or guard_type(set, 'set') or guard_type(own, 'zset')
    if wrong then
      return nil, nil, nil, wrong
    end
    local count = redis.call('SCARD', set)
    sets[#sets + 1] = set
    if filters[place] ~= 'task_id' and (not least or count < least) then
      least, view, field = count, own, filters[place]
    end
  end
  if wrong then
    return nil, nil, nil, wrong
  end
  local lags = (least or redis.call('SCARD', task_all())) > redis.call('ZCARD', view)
  return sets, view, lags and field or ''
end
-- Byte by byte: Lua compares as the machine's language does, and the server does not.
local function walk_before(one, two)
  for place = 1, math.min(#one, #two) do
    local a, b = one:byte(place), two:byte(place)
    if a ~= b then
      return a < b
    end
  end
  return #one < #two
end
-- The rank of the first document behind a place, also after the one that was there has moved. However many were seen in one
-- millisecond, they are halved and not counted.
local function walk_from(view, to, last)
  local low = redis.call('ZCOUNT', view, '(' .. to, '+inf')
  local high = last == '' and low or low + redis.call('ZCOUNT', view, to, to)
  while low < high do
    local middle = math.floor((low + high) / 2)
    if walk_before(redis.call('ZREVRANGE', view, middle, middle)[1], last) then
      high = middle
    else
      low = middle + 1
    end
  end
  return low
end
-- The next names with their moments, and which of them are in all the sets.
local function walk_chunk(view, sets, at, count)
  local pairs_of = redis.call('ZREVRANGE', view, at, at + count - 1, 'WITHSCORES')
  local names, moments, held = {}, {}, {}
  for place = 1, #pairs_of, 2 do
    names[#names + 1], moments[#moments + 1], held[#held + 1] = pairs_of[place], pairs_of[place + 1], true
  end
  for _, set in ipairs(#names > 0 and sets or {}) do
    local answers = redis.call('SMISMEMBER', set, unpack(names))
    for place = 1, #names do
      held[place] = held[place] and answers[place] == 1
    end
  end
  return names, moments, held
end
