#!lua flags=allow-oom
-- purpose: Deletes a dead letter because somebody decided so.
-- guarantee: The audit keeps who did it, when and why; nothing else deletes a letter.
-- keys:
--   audit  quorate.dead_audit
-- reaches:
--   letter  quorate.dead_letter
--   view    quorate.dead_view
-- args:
--   name    text  which one
--   who     text  who decided
--   reason  text  why
-- returns: { "dropped" } | { "refused", reason, detail }
-- writes: 6
-- use: now, iso, guard_type, dead_lists
-- layout: plain-only, tagged counterpart drop_tagged

local us = now()
local known = redis.call('HMGET', letter(name), 'source', 'fingerprint', 'item', 'reason')
if not known[1] then
  return { 'refused', 'no_letter', name }
end
local refusal = guard_type(audit, 'stream') or bad_lists(known[1], known[2])
if refusal then
  return refusal
end
redis.call('XADD', audit, '*', 'event', 'dead.dropped', 'ts', iso(us), 'actor', who, 'letter', name, -- drains: more goes than comes
  'item', known[3], 'source', known[1], 'why', reason, 'failure', known[4]:sub(1, 200))
unlist('', name, known[1], known[2])
unlist('open:', name, known[1], known[2])
redis.call('DEL', letter(name))
return { 'dropped' }
