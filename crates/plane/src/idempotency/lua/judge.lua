#!lua flags=allow-oom
-- purpose: Says whether what is kept of a request is whole and goes by itself, and lets it go.
-- guarantee: What is whole stays; what is not says nothing about its request, so nobody gets a wrong answer from it.
-- keys:
--   record  quorate.idempotency
-- args:
--   keep_ms  integer  how long it is kept
--   repair   integer  1 to put it right
-- returns: { "judged", what is wrong, or "" }
-- writes: 2
-- layout: any

local known = redis.call('HMGET', record, 'fingerprint', 'state', 'request', 'claim', 'lease_until', 'status')
if redis.call('EXISTS', record) == 0 then
  return { 'judged', '' }
end
local answered = known[2] == 'done' or known[2] == 'large'
if not (known[1] and known[3] and known[4] and tonumber(known[5] or '') and (known[2] == 'busy' or answered and known[6])) then
  if repair == 1 then
    redis.call('DEL', record)
  end
  return { 'judged', 'it is not whole, so its request can neither be done nor answered' }
end
if redis.call('PTTL', record) < 0 then
  if repair == 1 then
    redis.call('PEXPIRE', record, keep_ms)
  end
  return { 'judged', 'it never expires' }
end
return { 'judged', '' }
