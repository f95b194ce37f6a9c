#!lua flags=no-writes
-- purpose: A page of tasks for which all filters hold, the last seen first.
-- guarantee: From one moment. It looks at no more documents than it may, and where it stopped is where the next page begins.
-- keys:
-- reaches:
--   task_doc     relayna.task_document
--   task_set     relayna.task_filter
--   task_all     relayna.task_documents
--   search_view  quorate.search_view
-- args:
--   index  text     the prefix of the search index
--   from   integer  seen no earlier, in Unix milliseconds
--   to     text     seen no later, in Unix milliseconds, or +inf
--   last   text     of those seen at `to`, the one that ended the page before; empty for none
--   limit  integer  most documents
--   looks  integer  most documents looked at
-- rest: filters
-- returns: { "page", field whose view lacks some, where the next begins, how many are gone, gone id…, text… } | { "refused", … }
-- writes: 0
-- use: guard_type, search_word, walk
-- layout: plain-only, tagged counterpart page_tagged

local sets, view, lag, refusal = walk_filters(index, filters)
if refusal then
  return refusal
end
local at, looked, shown, last_look, ended = walk_from(view, to, last), 0, '', '', false
local gone, texts = {}, {}
for _ = 1, math.ceil(looks / 200) do
  local names, moments, held = walk_chunk(view, sets, at, math.min(200, looks - looked))
  at, looked, ended = at + #names, looked + #names, #names == 0
  for place = 1, #names do
    if tonumber(moments[place]) < from then
      ended = true
      break
    end
    local text = held[place] and redis.pcall('GET', task_doc(names[place]))
    if held[place] and type(text) ~= 'string' then
      gone[#gone + 1] = names[place]
    elseif held[place] and #texts == limit then
      last_look, ended = shown, nil
      break
    elseif held[place] then
      texts[#texts + 1] = text
      shown = moments[place] .. '~' .. names[place]
    end
    last_look = moments[place] .. '~' .. names[place]
  end
  if ended ~= false then
    break
  end
end
local answer = { 'page', lag, ended and '' or last_look, string.format('%.0f', #gone) }
for _, list in ipairs({ gone, texts }) do
  for place = 1, #list do
    answer[#answer + 1] = list[place]
  end
end
return answer
