#!lua flags=no-writes
-- purpose: Says which task documents are not in every list that they belong to.
-- guarantee: From one moment, and without changing anything.
-- keys:
-- reaches:
--   task_doc     relayna.task_document
--   task_all     relayna.task_documents
--   task_of      relayna.service_task_documents
--   task_set     relayna.task_filter
--   search_view  quorate.search_view
-- args:
--   index  text  the prefix of the search index
-- rest: ids
-- returns: { "judged", id, "sound" | "absent" | "unreadable" | "foreign" | "unlisted", … }
-- writes: 0
-- use: guard_type, search_word, search_places, judge_list
-- layout: plain-only, tagged counterpart judge_tagged

local answer = { 'judged' }
for _, id in ipairs(ids) do
  local text = redis.pcall('GET', task_doc(id))
  local sound, document = pcall(cjson.decode, type(text) == 'string' and text or '')
  local word = 'sound'
  if type(text) ~= 'string' then
    word = 'absent'
  elseif not sound or type(document) ~= 'table' or next(document) == nil then
    word = 'unreadable'
  elseif not is_listed(search_view(index .. ':all'), 'zset', id) then
    word = 'foreign'
  elseif not is_listed(search_view(index .. ':due'), 'zset', id) then
    word = 'unlisted'
  else
    for key, kind in pairs(search_places(index, document)) do
      word = is_listed(key, kind, id) and word or 'unlisted'
    end
  end
  answer[#answer + 1] = id
  answer[#answer + 1] = word
end
return answer
