#!lua
-- purpose: Notes how a service fared when it was looked at.
-- guarantee: The verdict, what the service said of itself and what the search shows of it are written together, over the record that was read; a service that
--   was deleted or changed meanwhile is not brought back.
-- keys:
--   record  relayna.service
--   health  relayna.service_health
-- reaches:
--   service_doc    relayna.service_document
--   service_all    relayna.service_documents
--   service_set    relayna.service_filter
--   service_token  relayna.service_token
--   search_view    quorate.search_view
-- args:
--   id        text  the service
--   before    text  the record as it was read
--   after     json  the record as it is to be
--   document  json  the verdict
--   index     text  the prefix of the search index
--   found     json  what the search shows of it
-- returns: { "noted" } | { "refused", reason, detail }
-- writes: 10
-- use: now, guard_type, search_word, service_places, search_service
-- layout: plain-only, tagged counterpart note_tagged

local refusal = guard_type(record, 'string') or guard_type(health, 'string')
if refusal then
  return refusal
end
local known = redis.call('GET', record)
if not known then
  return { 'refused', 'no_service', id }
end
if known ~= before then
  return { 'refused', 'conflict' }
end
local shown, wrong = search_service(index, id, found)
if wrong then
  return wrong
end
if after ~= before then
  redis.call('SET', record, after)
end
shown()
redis.call('SET', health, document)
return { 'noted' }
