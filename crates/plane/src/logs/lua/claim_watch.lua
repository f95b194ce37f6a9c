#!lua flags=allow-oom
-- purpose: Gives the next look at the server to one process.
-- guarantee: Of many that ask within the interval one looks.
-- keys:
--   watch  quorate.engine_watch
-- args:
--   every_ms  integer  how soon the next look is due
-- returns: { "look", slow, clients, memory, run } | { "wait" } | { "refused", reason, detail }
-- writes: 1
-- use: now, guard_type
-- layout: any

local _, ms = now()
local refusal = guard_type(watch, 'hash')
if refusal then
  return refusal
end
local known = redis.call('HMGET', watch, 'due', 'slow', 'clients', 'memory', 'run')
if tonumber(known[1] or 0) > ms then
  return { 'wait' }
end
redis.call('HSET', watch, 'due', ms + every_ms) -- drains: one field
return { 'look', known[2] or '', known[3] or '', known[4] or '', known[5] or '' }
