#!lua flags=allow-oom
-- purpose: Takes away some of the task documents of a service that went.
-- guarantee: Each goes with all its lists or not at all; the service is put down as leaving until none is left.
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
-- returns: { "left", how many went, whether there is more } | { "refused", reason, … }
-- writes: 11
-- use: digits, guard_type, search_word, search_places, search_task
-- layout: plain-only, tagged counterpart step_tagged

local refusal = guard_type(search_view(index .. ':leaving'), 'zset')
local service = not refusal and redis.call('ZRANGE', search_view(index .. ':leaving'), 0, 0)[1]
if refusal or not service then
  return refusal or { 'left', '0', '' }
end
refusal = guard_type(task_of(search_word(service)), 'set')
local ids = not refusal and redis.call('SRANDMEMBER', task_of(search_word(service)), most) or {}
local went = 0
for _, id in ipairs(ids) do
  local document, wrong = search_document(id)
  local foreign = next(document) and document.service_id ~= service
  document.service_id = service
  local put, bad = search_swap(index, id, document, nil)
  refusal = refusal or wrong or bad
  if foreign and not wrong then
    redis.call('SREM', task_of(search_word(service)), id)
    went = went + 1
  elseif not wrong and not bad then
    put()
    went = went + 1
  end
end
if went == 0 then
  -- None is left, or what is left cannot be touched: then fsck says so, and the next service has its turn.
  redis.call('ZREM', search_view(index .. ':leaving'), service)
end
return refusal or { 'left', digits(went), '1' }
