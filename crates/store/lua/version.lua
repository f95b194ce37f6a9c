-- purpose: A short text that is another one as soon as a key, or the named fields of it, is another one.
-- gives: version
-- writes: 0
-- Sorted, because a hash that was loaded again may list its fields in another order. What is not there has no version,
-- unless the fields begin with a question mark: then that is a version too.
local function version(key, fields)
  local kind, always = redis.call('TYPE', key).ok, fields:sub(1, 1) == '?'
  if kind == 'none' and not always then
    return ''
  end
  fields = always and fields:sub(2) or fields
  local parts = {}
  if kind == 'hash' or kind == 'none' then
    local names = {}
    for name in (fields ~= '' and fields or table.concat(redis.call('HKEYS', key), '\0')):gmatch('%Z+') do
      names[#names + 1] = name
    end
    table.sort(names)
    for _, name in ipairs(names) do
      parts[#parts + 1] = { name, redis.call('HGET', key, name) }
    end
  else
    parts = { kind == 'string' and redis.call('GET', key) or redis.call('DUMP', key) }
  end
  return redis.sha1hex(cmsgpack.pack(parts)):sub(1, 20)
end
