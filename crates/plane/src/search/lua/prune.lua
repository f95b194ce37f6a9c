#!lua flags=allow-oom
-- purpose: Takes away task documents whose time is over.
-- guarantee: Each goes with all its lists or not at all; one that was renewed stays. Whoever dies leaves the rest to the next.
-- keys:
-- reaches:
--   task_doc     relayna.task_document
--   task_all     relayna.task_documents
--   task_of      relayna.service_task_documents
--   task_set     relayna.task_filter
--   search_view  quorate.search_view
-- args:
--   index  text     the prefix of the search index
--   most   integer  most documents of this call
-- returns: { "pruned", how many, how many were looked at } | { "refused", reason, … }
-- writes: 9
-- use: now, iso, digits, guard_type, search_word, search_places, search_task
-- layout: plain-only, tagged counterpart prune_tagged

local refusal = guard_type(search_view(index .. ':due'), 'zset')
if refusal then
  return refusal
end
local us, ms = now()
local ids = redis.call('ZRANGEBYSCORE', search_view(index .. ':due'), '-inf', digits(ms), 'LIMIT', 0, most)
local pruned = 0
for _, id in ipairs(ids) do
  local document, wrong = search_document(id)
  local put, bad = search_swap(index, id, document, nil)
  local until_text = type(document.expires_at) == 'string' and document.expires_at:sub(1, 19) or ''
  if wrong or bad or (until_text:find('^%d+%-%d+%-%d+T') and until_text > iso(us):sub(1, 19)) then
    -- Another client has renewed it, or a key is of another type: it is looked at again in an hour and stops nobody.
    redis.call('ZADD', search_view(index .. ':due'), 'XX', digits(ms + 3600000), id) -- drains: it is there
  else
    put()
    pruned = pruned + 1
  end
end
return { 'pruned', digits(pruned), digits(#ids) }
