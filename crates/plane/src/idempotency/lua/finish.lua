#!lua
-- purpose: Keeps the answer to a request.
-- guarantee: Only the attempt that has the claim is heard, and the first answer stays.
-- keys:
--   record  quorate.idempotency
-- args:
--   claim    text     which attempt
--   state    text     done, or large when the body is not kept
--   status   integer  the HTTP status
--   kind     text     the content type
--   body     text     the answer
--   keep_ms  integer  how long it is kept
-- returns: 1 if it is kept, else 0
-- writes: 3
-- use: digits
-- layout: any

local known = redis.call('HMGET', record, 'claim', 'state')
if known[1] ~= claim or known[2] ~= 'busy' then
  return 0
end
redis.call('HSET', record, 'state', state, 'status', digits(status), 'type', kind, 'body', body)
redis.call('PEXPIRE', record, keep_ms)
-- The answer of the whole request is kept, so nobody asks for those of its steps.
for _, field in ipairs(redis.call('HKEYS', record)) do
  if field:sub(1, 5) == 'step:' then
    redis.call('HDEL', record, field)
  end
end
return 1
