-- purpose: Where a service document of the search is listed: by environment, status, health, label, and the start of each word.
-- gives: service_name, service_places
-- writes: 0
-- A word is found by its first letters up to 64, as Relayna does; a thousand of them are enough for one service.
local function service_name(id, document)
  return (type(document.name) == 'string' and document.name or ''):lower() .. '\0' .. id
end
local function service_places(id, document)
  local places, left = {}, 1000
  if not document then
    return places
  end
  places[service_all()] = 'set'
  local tags = type(document.tags) == 'table' and document.tags or {}
  local function listed(field, value)
    if type(value) == 'string' and value ~= '' then
      places[service_set(field .. ':' .. search_word(value))] = 'set'
    end
  end
  listed('environment', document.environment)
  listed('status', document.status)
  listed('health', document.health_status)
  local texts = { id, document.name or '', document.environment or '' }
  for place = 1, math.min(#tags, 64) do
    listed('tag', tags[place])
    texts[#texts + 1] = tags[place]
  end
  for _, text in ipairs(texts) do
    for word in (type(text) == 'string' and text:lower() or ''):gmatch('[a-z0-9]+') do
      for length = 1, math.min(#word, 64, left) do
        places[service_token(word:sub(1, length))] = 'set'
        left = left - 1
      end
    end
  end
  return places
end
