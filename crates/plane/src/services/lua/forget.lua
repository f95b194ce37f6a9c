#!lua flags=allow-oom
-- purpose: Deletes what is left of a service that is not registered, or lets go of one that is registered again.
-- guarantee: Nothing of a service that is registered.
-- keys:
--   record       relayna.service
--   leaving      quorate.services_leaving
--   health       relayna.service_health
--   cursor       relayna.pull_cursor
--   status       relayna.service_latest_status
--   observation  relayna.service_latest_observation
--   ingested     relayna.service_latest_ingested
--   state        quorate.service_state
-- args:
--   id  text  the service
-- returns: { "forgotten" | "kept" } | { "refused", reason, detail }
-- writes: 2
-- use: guard_type
-- layout: plain-only, tagged counterpart forget_tagged

local refusal = guard_type(leaving, 'zset')
if refusal then
  return refusal
end
if redis.call('EXISTS', record) == 1 then
  redis.call('ZREM', leaving, id)
  return { 'kept' }
end
redis.call('DEL', health, cursor, status, observation, ingested, state)
return { 'forgotten' }
