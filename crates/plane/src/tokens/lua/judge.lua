#!lua flags=allow-oom
-- purpose: Says whether the list of tokens and the tokens agree about one name or one token, and puts the list right.
-- guarantee: A token that lets somebody in is in the list, so that it can be seen and revoked; the list names no other.
-- keys:
--   names  quorate.token_names
-- reaches:
--   token  quorate.token
-- args:
--   name    text     a name of the list, or empty
--   hash    text     a token, or empty
--   repair  integer  1 to put it right
-- returns: { "judged", "" | "dangling" | "hidden" | "contested" }
-- writes: 2
-- use: guard_type
-- layout: plain-only, tagged counterpart judge_tagged

local refusal = guard_type(names, 'hash')
if refusal then
  return refusal
end
if name ~= '' then
  local listed = redis.call('HGET', names, name)
  if not listed or redis.call('HGET', token(listed), 'name') == name then
    return { 'judged', '' }
  end
  if repair == 1 then
    redis.call('HDEL', names, name)
  end
  return { 'judged', 'dangling' }
end
local own = redis.call('HGET', token(hash), 'name')
if not own then
  return { 'judged', '' }
end
local listed = redis.call('HGET', names, own)
if listed == hash then
  return { 'judged', '' }
end
if listed and redis.call('HGET', token(listed), 'name') == own then
  return { 'judged', 'contested' }
end
if repair == 1 then
  redis.call('HSET', names, own, hash) -- drains: an entry that was there before
end
return { 'judged', 'hidden' }
