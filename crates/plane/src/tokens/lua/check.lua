#!lua flags=allow-oom
-- purpose: Says who holds a token.
-- guarantee: A token that was revoked or has expired lets nobody in from that moment on; its use is noted once a minute.
-- keys:
--   token  quorate.token
-- args: none
-- returns: { name, id, role, scopes, agent, end or 0 } | {}
-- writes: 1
-- use: now, digits
-- layout: any

local known = redis.call('HMGET', token, 'name', 'id', 'role', 'scopes', 'agent', 'expires_at', 'last_used')
if not known[1] then
  return {}
end
local _, ms = now()
local ends = tonumber(known[6])
if not ends or (ends > 0 and ends <= ms) then
  return {}
end
if ms - (tonumber(known[7]) or 0) >= 60000 then
  redis.call('HSET', token, 'last_used', digits(ms)) -- drains: one small field of a record that is there
end
return { known[1], known[2] or '', known[3] or '', known[4] or '', known[5] or '', known[6] }
