#!lua flags=allow-oom
-- purpose: Frees the key of a request that had no effect.
-- guarantee: Only the attempt that has the claim frees it, and never an answer.
-- keys:
--   record  quorate.idempotency
-- args:
--   claim  text  which attempt
-- returns: 1 if it is free, else 0
-- writes: 1
-- layout: any

local known = redis.call('HMGET', record, 'claim', 'state')
if known[1] ~= claim or known[2] ~= 'busy' then
  return 0
end
return redis.call('DEL', record)
