-- purpose: Puts a service document of the search in the place of an older one, or takes it away, with every set.
-- gives: search_service
-- writes: 8
-- `text` is the document, or empty; one that says nothing of its health keeps what was known. A script that uses it reaches
-- `service_doc`, `service_all`, `service_set`, `service_token` and `search_view`. The task documents of a service that goes are
-- put down as leaving, and maintenance takes them away in small steps. It gives a function that writes, or a refusal.
local function search_service(index, id, text)
  local names, leaving = search_view(index .. ':names'), search_view(index .. ':leaving')
  local wrong = guard_type(service_doc(id), 'string') or guard_type(names, 'zset') or guard_type(leaving, 'zset')
  local function read(json)
    local sound, document = pcall(cjson.decode, json or '')
    return sound and type(document) == 'table' and document or nil
  end
  local old, new = read(not wrong and redis.call('GET', service_doc(id))), read(text)
  if new and old and type(old.health_status) == 'string' and type(new.health_status) ~= 'string' then
    text = text:gsub('}%s*$', '') .. ',"health_status":' .. cjson.encode(old.health_status) .. '}'
    new.health_status = old.health_status
  end
  local before, after = service_places(id, old), service_places(id, new)
  for _, places in ipairs({ before, after }) do
    for key in pairs(places) do wrong = wrong or guard_type(key, 'set') end
  end
  local _, ms = now()
  return function()
    for key in pairs(before) do
      if not after[key] then redis.call('SREM', key, id) end
    end
    for key in pairs(after) do redis.call('SADD', key, id) end
    if old then redis.call('ZREM', names, service_name(id, old)) end
    if new then
      redis.call('ZADD', names, 0, service_name(id, new))
      redis.call('ZREM', leaving, id)
      redis.call('SET', service_doc(id), text)
    else
      redis.call('ZADD', leaving, string.format('%.0f', ms), id)
      redis.call('DEL', service_doc(id))
    end
  end, wrong
end
