-- purpose: Puts a task document of the search in the place of an older one, or takes it away, with every set and view.
-- gives: search_document, search_swap
-- writes: 8
-- A script that uses it reaches `task_doc`, `task_all`, `task_of`, `task_set` and `search_view`. All keys are looked at before
-- it gives a function that writes. A document that cannot be read leaves at least the lists of everything.
local function search_document(id)
  local wrong = guard_type(task_doc(id), 'string')
  local text = not wrong and redis.call('GET', task_doc(id))
  local sound, document = pcall(cjson.decode, text or '')
  return sound and type(document) == 'table' and document or {}, wrong, text
end
local function search_swap(index, id, old, new)
  local before, after = search_places(index, old), search_places(index, new)
  local wrong = guard_type(task_doc(id), 'string') or guard_type(search_view(index .. ':due'), 'zset')
  for _, places in ipairs({ before, after }) do
    for key, kind in pairs(places) do
      wrong = wrong or guard_type(key, kind)
    end
  end
  return function(text, seen, due)
    for key, kind in pairs(before) do
      if not after[key] and kind == 'set' then redis.call('SREM', key, id) end
      if not after[key] and kind == 'zset' then redis.call('ZREM', key, id) end
    end
    for key, kind in pairs(after) do
      if kind == 'set' then redis.call('SADD', key, id) else redis.call('ZADD', key, seen, id) end
    end
    if new then
      redis.call('SET', task_doc(id), text)
      redis.call('ZADD', search_view(index .. ':due'), due, id)
    else
      redis.call('DEL', task_doc(id))
      redis.call('ZREM', search_view(index .. ':due'), id)
    end
  end, wrong
end
