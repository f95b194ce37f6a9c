#!lua flags=allow-oom
-- purpose: Ends a token.
-- guarantee: From then on it lets nobody in, nor does any session that it opened; a repeated call gets the first answer.
-- keys:
--   names    quorate.token_names
--   answers  quorate.token_answers
-- reaches:
--   token  quorate.token
-- args:
--   request  request  the id of the call
--   name     text     which one
-- returns: { "revoked", id, role } | { "refused", reason, … }
-- writes: 5
-- use: guard_type, answers
-- layout: plain-only, tagged counterpart revoke_tagged

local refusal = guard_type(names, 'hash') or guard_type(answers, 'hash')
if refusal then
  return refusal
end
local again = recall(answers, request)
if again then
  return again
end
local hash = redis.call('HGET', names, name)
if not hash then
  return { 'refused', 'no_token', name }
end
local known = redis.call('HMGET', token(hash), 'id', 'role')
redis.call('DEL', token(hash))
redis.call('HDEL', names, name)
return remember(answers, request, { 'revoked', known[1] or '', known[2] or '' }, 64, 600000)
