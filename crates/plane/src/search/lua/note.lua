#!lua
-- purpose: Takes an event of a task into the search.
-- guarantee: The document, the seed's sets and our views go together; a document that is replaced leaves no list it is not in.
-- keys:
-- reaches:
--   task_doc     relayna.task_document
--   task_all     relayna.task_documents
--   task_of      relayna.service_task_documents
--   task_set     relayna.task_filter
--   search_view  quorate.search_view
-- args:
--   index  text     the prefix of the search index
--   id     text     the document
--   said   json     what the event says
--   ttl    integer  seconds until the document may go
-- returns: { "noted" } | { "refused", reason, … }
-- writes: 8
-- use: now, iso, guard_type, search_word, search_places, search_task, search_event
-- layout: plain-only, tagged counterpart note_tagged

local put, wrong = search_event(index, id, cjson.decode(said), ttl)
if wrong then
  return wrong
end
put()
return { 'noted' }
