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
-- writes: 2
-- use: guard_type
-- layout: plain-only, tagged counterpart relist_tagged

local refusal = guard_type(history, 'list') or guard_type(task_history, 'list')
if refusal then
  return refusal
end
local both = { history, task_history }
for place = 1, redis.call('EXISTS', event) * 2 do
  local list = both[place]
  if redis.call('LLEN', list) < maxlen and not redis.call('LPOS', list, name) then
    redis.call('RPUSH', list, name) -- drains: one name
    if ttl > 0 and redis.call('TTL', list) < 0 then
      redis.call('EXPIRE', list, ttl)
    end
  end
end
return { 'relisted' }
