-- purpose: Refuses a key that holds another type than expected, before anything is written. An absent key is fine.
-- gives: guard_type
-- writes: 0
local function guard_type(key, wanted)
  local found = redis.call('TYPE', key).ok
  if found == 'none' or found == wanted then
    return nil
  end
  return { 'refused', 'wrong_type', key, found, wanted }
end
