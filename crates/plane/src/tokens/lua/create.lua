#!lua
-- purpose: Makes a token under a name that nobody has.
-- guarantee: Of two that ask for one name one gets it; a repeated call finds its own token, by its hash.
-- keys:
--   token  quorate.token
--   names  quorate.token_names
-- reaches:
--   other  quorate.token
-- args:
--   name    text     what the operator calls it
--   hash    text     the hash of its secret
--   id      text     what tells it from an earlier one of the same name
--   role    text     what its holder may do at most
--   scopes  text     what narrows the role
--   agent   text     the agent its holder speaks for, or empty
--   by      text     who makes it
--   ttl_ms  integer  how long it lives; 0 for ever
-- returns: { "created", when, end or 0 } | { "refused", reason, … }
-- writes: 3
-- use: now, digits, guard_type
-- layout: plain-only, tagged counterpart create_tagged

local refusal = guard_type(token, 'hash') or guard_type(names, 'hash')
if refusal then
  return refusal
end
local before = redis.call('HGET', names, name)
if before == hash then
  local known = redis.call('HMGET', token, 'created_at', 'expires_at')
  return { 'created', known[1], known[2] }
end
local _, ms = now()
if before then
  local ends = tonumber(redis.call('HGET', other(before), 'expires_at') or '1')
  if ends == 0 or ends > ms then
    return { 'refused', 'token_exists', name }
  end
  redis.call('DEL', other(before))
end
local ends = ttl_ms > 0 and digits(ms + ttl_ms) or '0'
redis.call('HSET', token, 'name', name, 'id', id, 'role', role, 'scopes', scopes, 'agent', agent, 'by', by,
  'created_at', digits(ms), 'expires_at', ends)
redis.call('HSET', names, name, hash)
return { 'created', digits(ms), ends }
