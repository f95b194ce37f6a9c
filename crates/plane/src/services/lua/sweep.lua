#!lua flags=allow-oom
-- purpose: Clears away some of the events of a service that was deleted.
-- guarantee: Nothing of a service that is registered; the names of what was cleared leave the history with it.
-- keys:
--   record   relayna.service
--   history  relayna.service_history
--   leaving  quorate.services_leaving
-- keys-rest: gone relayna.studio_event   and relayna.service_task_history and relayna.service_task_latest of those events
-- args:
--   id     text     the service
--   count  integer  how many names were read from the end of the history
-- returns: { "swept", how many are left } | { "refused", reason, detail }
-- writes: 3
-- use: guard_type, digits
-- layout: plain-only, tagged counterpart sweep_tagged

local refusal = guard_type(history, 'list') or guard_type(leaving, 'zset')
if refusal then
  return refusal
end
if redis.call('EXISTS', record) == 1 then
  return { 'refused', 'service_exists', id }
end
for place = 1, #gone do
  redis.call('UNLINK', gone[place])
end
redis.call('LTRIM', history, 0, -1 - count)
local rest = redis.call('LLEN', history)
if rest == 0 then
  redis.call('ZREM', leaving, id)
end
return { 'swept', digits(rest) }
