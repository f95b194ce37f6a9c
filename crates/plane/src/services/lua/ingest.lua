#!lua
-- purpose: Takes in an event of a registered service.
-- guarantee: Both histories, the latest times, both channels, the search and the event itself, all or none, and once for each event.
--   The event is written last and marks itself as taken. One that is older than its task's latest says so, and takes no later
--   one's place.
-- keys:
--   record        relayna.service
--   event         relayna.studio_event
--   history       relayna.service_history
--   task_history  relayna.service_task_history
--   latest        relayna.service_task_latest
--   of_kind       relayna.service_latest_status   or relayna.service_latest_observation, as the event is
--   ingested      relayna.service_latest_ingested
--   channel       relayna.service_channel
--   task_channel  relayna.service_task_channel
-- reaches:
--   task_doc     relayna.task_document
--   task_all     relayna.task_documents
--   task_of      relayna.service_task_documents
--   task_set     relayna.task_filter
--   search_view  quorate.search_view
-- args:
--   id      text     the service
--   name    text     what the event is known by
--   open    json     the event, without its last brace
--   timed   text     when it happened, in Unix microseconds; empty where it does not say
--   time    text     the same as it was written
--   maxlen  integer  most events of a history
--   ttl     integer  seconds until the store forgets, 0 for never
--   index   text     the prefix of the search index
--   found   text     the document of its task in the search
--   said    json     what the event says of its task
--   kept    integer  seconds until that document may go
-- returns: { "inserted" | "late" | "duplicate" } | { "refused", reason, detail }
-- writes: 24
-- use: now, iso, guard_type, instant, search_word, search_places, search_task, search_event
-- layout: plain-only, tagged counterpart ingest_tagged

if redis.call('EXISTS', record) == 0 then
  return { 'refused', 'no_service', id }
end
if redis.call('EXISTS', event) == 1 then
  return guard_type(event, 'string') or { 'duplicate' }
end
local refusal = guard_type(record, 'string') or guard_type(history, 'list') or guard_type(task_history, 'list') or guard_type(latest, 'string')
  or guard_type(of_kind, 'string') or guard_type(ingested, 'string')
if refusal then
  return refusal
end
local saying = cjson.decode(said)
local sound, service = pcall(cjson.decode, redis.call('GET', record))
service = sound and type(service) == 'table' and service or {}
saying.service_name = type(service.name) == 'string' and service.name or id
saying.environment = type(service.environment) == 'string' and service.environment or ''
local put, wrong = search_event(index, found, saying, kept)
if wrong then
  return wrong
end
local us = now()
local stamp = iso(us)
-- A clock that is ahead would make everything that follows late.
local at = tonumber(timed)
if at and at > us then
  at, time = us, stamp
end
local known = at and instant(redis.call('GET', latest))
local before = at and instant(redis.call('GET', of_kind))
local late = known and at < known
local whole = open .. ',"ingested_at":"' .. stamp .. '","out_of_order":' .. (late and 'true' or 'false') .. '}'

if redis.call('LPUSH', history, name) > maxlen then
  redis.call('LTRIM', history, 0, maxlen - 1)
end
if redis.call('LPUSH', task_history, name) > maxlen then
  redis.call('LTRIM', task_history, 0, maxlen - 1)
end
if at and (not known or at > known) then
  redis.call('SET', latest, time)
end
if at and (not before or at > before) then
  redis.call('SET', of_kind, time)
end
redis.call('SET', ingested, stamp)
put()
redis.call('PUBLISH', channel, whole)
redis.call('PUBLISH', task_channel, whole)
if ttl == 0 then
  redis.call('SET', event, whole)
  return { late and 'late' or 'inserted' }
end
redis.call('EXPIRE', history, ttl)
redis.call('EXPIRE', task_history, ttl)
redis.call('EXPIRE', latest, ttl)
redis.call('EXPIRE', of_kind, ttl)
redis.call('EXPIRE', ingested, ttl)
redis.call('SET', event, whole, 'EX', ttl)
return { late and 'late' or 'inserted' }
