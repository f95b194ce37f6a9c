#!lua
-- purpose: Lists a task document that another client wrote, and strikes it off a list that it does not belong to.
-- guarantee: Looks at the document itself, and only if it is as the caller has read it; nothing is listed that is not there.
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
--   field  text     the field whose list named it, or empty
--   word   text     the value of that list, as it stands in its key
--   text   json     the document as it was read, or empty if it is not there
--   seen   integer  when its task was last seen, in Unix milliseconds
--   due    integer  when it may go, in Unix milliseconds
-- returns: { "listed" | "struck" | "changed" } | { "refused", reason, … }
-- writes: 13
-- use: digits, guard_type, search_word, search_places, search_task
-- layout: plain-only, tagged counterpart tend_tagged

local document, wrong, now_text = search_document(id)
if wrong then
  return wrong
end
if (now_text or '') ~= text then
  return { 'changed' }
end
local there = text ~= '' and next(document) ~= nil
local put, bad = search_swap(index, id, document, there and document or nil)
local named = field ~= '' and field .. ':' .. word
bad = bad or (named and (guard_type(task_set(named), 'set') or guard_type(search_view(index .. ':' .. named), 'zset')))
if bad then
  return bad
end
if there or text == '' then
  put(text, digits(seen), digits(due))
end
local own = document[field]
if named and not (there and type(own) == 'string' and search_word(own) == word) then
  redis.call('SREM', task_set(named), id)
  redis.call('ZREM', search_view(index .. ':' .. named), id)
end
return { there and 'listed' or 'struck' }
