#!lua
-- purpose: Begins a request under a key, or says what became of it.
-- guarantee: Of many that begin the same one goes ahead; who takes over a lapsed claim gets the same request id, so that
--   the effect is the same effect.
-- keys:
--   record  quorate.idempotency
-- args:
--   fingerprint  text     of the request
--   claim        text     a random id of this attempt
--   request      text     a random id for the effect, if the key is new
--   lease_ms     integer  how long the attempt is taken to be alive
--   keep_ms      integer  how long the key is kept
-- returns: { "go", request id } | { "busy" } | { "other" } | { "done", status, type, body } | { "large", status }
-- writes: 3
-- use: now, digits
-- layout: any

local known = redis.call('HMGET', record, 'fingerprint', 'state', 'request', 'claim', 'lease_until')
local _, ms = now()
if not known[1] then
  redis.call('HSET', record, 'fingerprint', fingerprint, 'state', 'busy', 'request', request, 'claim', claim,
    'lease_until', digits(ms + lease_ms))
  redis.call('PEXPIRE', record, keep_ms)
  return { 'go', request }
end
if known[1] ~= fingerprint then
  return { 'other' }
end
if known[2] ~= 'busy' then
  local answer = redis.call('HMGET', record, 'status', 'type', 'body')
  return { known[2], answer[1] or '0', answer[2] or '', answer[3] or '' }
end
if known[4] ~= claim then
  if (tonumber(known[5]) or 0) > ms then
    return { 'busy' }
  end
  redis.call('HSET', record, 'claim', claim, 'lease_until', digits(ms + lease_ms))
end
return { 'go', known[3] }
