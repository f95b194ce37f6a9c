#!lua flags=allow-oom
-- purpose: Puts an event that is there into the histories that do not name it.
-- guarantee: Behind everything else, and only while there is room; an event that has expired is not named.
-- keys:
--   event         relayna.studio_event
--   history       relayna.service_history
--   task_history  relayna.service_task_history
-- args:
--   name    text     what the event is known by
--   maxlen  integer  most events of a history
--   ttl     integer  seconds until the store forgets, 0 for never
-- returns: { "relisted" } | { "refused", reason, detail }
-- writes: 4
-- use: guard_type
-- layout: plain-only, tagged counterpart relist_tagged

local refusal = guard_type(history, 'list') or guard_type(task_history, 'list')
if refusal then
  return refusal
end
if redis.call('EXISTS', event) == 0 then
  return { 'relisted' }
end
if redis.call('LLEN', history) < maxlen and not redis.call('LPOS', history, name) then
  redis.call('RPUSH', history, name) -- drains: one name
end
if redis.call('LLEN', task_history) < maxlen and not redis.call('LPOS', task_history, name) then
  redis.call('RPUSH', task_history, name) -- drains: one name
end
if ttl > 0 then
  redis.call('EXPIRE', history, ttl)
  redis.call('EXPIRE', task_history, ttl)
end
return { 'relisted' }
