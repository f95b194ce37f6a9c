-- purpose: Where a task document of the search is listed: the seed's sets, and our views in the order of time.
-- gives: search_places
-- writes: 0
-- A task is in few services, so what has its id needs no order; there would be a view for each task.
local function search_places(index, document)
  local places = {}
  if not document then
    return places
  end
  places[task_all()] = 'set'
  places[search_view(index .. ':all')] = 'zset'
  for _, field in ipairs({ 'service_id', 'task_id', 'correlation_id', 'status', 'stage', 'environment' }) do
    local value = document[field]
    if type(value) == 'string' and value ~= '' then
      local word = search_word(value)
      places[task_set(field .. ':' .. word)] = 'set'
      if field == 'service_id' then
        places[task_of(word)] = 'set'
      end
      if field ~= 'task_id' then
        places[search_view(index .. ':' .. field .. ':' .. word)] = 'zset'
      end
    end
  end
  return places
end
