#!lua flags=allow-oom
-- purpose: Notes what became of a retry that a service was asked for.
-- guarantee: Only for whoever asked; a service that did not take it leaves nothing behind.
-- keys:
--   mark  quorate.failed_retry
-- args:
--   token  text     who asked
--   word   text     what became of it; empty if the service did not take it
--   ttl    integer  seconds until it is forgotten
-- returns: { "settled" | "passed_on" } | { "refused", reason, … }
-- writes: 2
-- use: guard_type
-- layout: any

local refusal = guard_type(mark, 'string')
if refusal then
  return refusal
end
if redis.call('GET', mark) ~= token then
  return { 'passed_on' }
end
if word == '' then
  redis.call('DEL', mark)
else
  redis.call('SET', mark, word, 'EX', ttl) -- drains: it is there
end
return { 'settled' }
