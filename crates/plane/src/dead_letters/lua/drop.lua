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
-- use: now, iso, guard_type
-- layout: plain-only, tagged counterpart drop_tagged

local us = now()
local known = redis.call('HMGET', letter(name), 'source', 'fingerprint', 'item', 'reason')
if not known[1] then
  return { 'refused', 'no_letter', name }
end
local refusal = guard_type(audit, 'stream') or guard_type(view('all'), 'zset') or guard_type(view('clusters'), 'zset')
  or guard_type(view('source:' .. known[1]), 'zset') or guard_type(view('cluster:' .. known[2]), 'zset')
if refusal then
  return refusal
end
redis.call('XADD', audit, '*', 'event', 'dead.dropped', 'ts', iso(us), 'actor', who, 'letter', name, -- drains: more goes than comes
  'item', known[3], 'source', known[1], 'why', reason, 'failure', known[4]:sub(1, 200))
redis.call('ZREM', view('all'), name)
redis.call('ZREM', view('source:' .. known[1]), name)
redis.call('ZREM', view('cluster:' .. known[2]), name)
if redis.call('EXISTS', view('cluster:' .. known[2])) == 0 then
  redis.call('ZREM', view('clusters'), known[2])
end
redis.call('DEL', letter(name))
return { 'dropped' }
