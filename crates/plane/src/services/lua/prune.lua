#!lua flags=allow-oom
-- purpose: Takes the names of events that have expired out of the end of a service's history.
-- guarantee: No name of an event that is still there.
-- keys:
--   history  relayna.service_history
-- keys-rest: events relayna.studio_event   of the last names, the oldest first
-- args:
--   most  integer  most names that are taken out
-- rest: names  the last names, the oldest first
-- returns: { "pruned", how many } | { "refused", reason, detail }
-- writes: 1
-- use: guard_type, digits
-- layout: plain-only, tagged counterpart prune_tagged

local refusal = guard_type(history, 'list')
if refusal then
  return refusal
end
local count = 0
while count < math.min(most, #events) and redis.call('EXISTS', events[count + 1]) == 0
  and redis.call('LINDEX', history, -1) == names[count + 1] do
  redis.call('RPOP', history)
  count = count + 1
end
return { 'pruned', digits(count) }
