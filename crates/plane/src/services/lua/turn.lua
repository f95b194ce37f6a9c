#!lua flags=allow-oom
-- purpose: Says when a service is due again.
-- guarantee: One that was deleted meanwhile does not come up again.
-- keys:
--   record  relayna.service
--   all     relayna.service_index
--   turns   quorate.service_turns
-- args:
--   id     text     the service
--   in_ms  integer  in how long
-- returns: { "turned" | "gone" } | { "refused", reason, detail }
-- writes: 2
-- use: now, digits, guard_type
-- layout: plain-only, tagged counterpart turn_tagged

local refusal = guard_type(turns, 'zset') or guard_type(all, 'set')
if refusal then
  return refusal
end
if redis.call('EXISTS', record) == 0 and redis.call('SISMEMBER', all, id) == 0 then
  redis.call('ZREM', turns, id)
  return { 'gone' }
end
local _, ms = now()
redis.call('ZADD', turns, digits(ms + in_ms), id) -- drains: the member is there
return { 'turned' }
