#!lua
-- purpose: Puts a service into the search, or takes it out.
-- guarantee: The document and all its sets go together. The task documents of a service that goes are put down as leaving.
-- keys:
-- reaches:
--   service_doc    relayna.service_document
--   service_all    relayna.service_documents
--   service_set    relayna.service_filter
--   service_token  relayna.service_token
--   search_view    quorate.search_view
-- args:
--   index  text  the prefix of the search index
--   id     text  the service
--   text   json  its document, or empty to take it out
-- returns: { "placed" } | { "refused", reason, … }
-- writes: 8
-- use: now, guard_type, search_word, service_places, search_service
-- layout: plain-only, tagged counterpart place_tagged

local put, wrong = search_service(index, id, text)
if wrong then
  return wrong
end
put()
return { 'placed' }
