#!lua flags=allow-oom
-- purpose: Leaves a request to whoever repeats it.
-- guarantee: Only the attempt that has the claim leaves it, and never an answer. The request keeps its id and what was done
--   of it, so that a repetition goes on where this attempt stopped.
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
redis.call('HSET', record, 'lease_until', '0') -- drains: it replaces a number
return 1
