#!lua flags=allow-oom
-- purpose: Takes a service out of the registry.
-- guarantee: From then on nobody finds it, calls it or takes its events; what is left of them, and of the search, is known, so that
--   whoever comes next can clear it away.
-- keys:
--   record       relayna.service
--   all          relayna.service_index
--   health       relayna.service_health
--   cursor       relayna.pull_cursor
--   status       relayna.service_latest_status
--   observation  relayna.service_latest_observation
--   ingested     relayna.service_latest_ingested
--   state        quorate.service_state
--   pulls        quorate.service_turns
--   checks       quorate.service_turns
--   leaving      quorate.services_leaving
--   answers      quorate.service_answers
-- keys-rest: place relayna.service_by_url   where it answered, if its record says so
-- reaches:
--   service_doc    relayna.service_document
--   service_all    relayna.service_documents
--   service_set    relayna.service_filter
--   service_token  relayna.service_token
--   search_view    quorate.search_view
-- args:
--   id       text     the service
--   before   text     the record as it was read
--   request  request  the id of the call
--   index    text     the prefix of the search index
-- returns: { "removed" } | { "refused", reason, detail }
-- writes: 17
-- use: now, digits, guard_type, answers, search_word, service_places, search_service
-- layout: plain-only, tagged counterpart remove_tagged

local refusal = guard_type(record, 'string') or guard_type(all, 'set') or guard_type(pulls, 'zset')
  or guard_type(checks, 'zset') or guard_type(leaving, 'zset') or guard_type(answers, 'hash')
  or (place[1] and guard_type(place[1], 'string'))
if refusal then
  return refusal
end
local again = recall(answers, request)
if again then
  return again
end
local known = redis.call('GET', record)
if not known then
  return { 'refused', 'no_service', id }
end
if known ~= before then
  return { 'refused', 'conflict' }
end
local hide, wrong = search_service(index, id, '')
if wrong then
  return wrong
end
local _, ms = now()
redis.call('ZADD', leaving, digits(ms), id) -- drains: more goes than comes
if place[1] and redis.call('GET', place[1]) == id then
  redis.call('DEL', place[1])
end
redis.call('SREM', all, id)
redis.call('ZREM', pulls, id)
redis.call('ZREM', checks, id)
hide()
redis.call('DEL', record, health, cursor, status, observation, ingested, state)
return remember(answers, request, { 'removed' }, 64, 600000)
