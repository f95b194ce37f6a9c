-- purpose: Whether a list has a document. One of another type has none.
-- gives: is_listed
-- writes: 0
local function is_listed(key, kind, id)
  if guard_type(key, kind) then
    return false
  end
  if kind == 'set' then
    return redis.call('SISMEMBER', key, id) == 1
  end
  return redis.call('ZSCORE', key, id) and true or false
end
