#!lua flags=no-writes
-- purpose: A page of services for which all filters hold and that have all the words, by name.
-- guarantee: From one moment. It looks at no more services than it may, and where it stopped is where the next page begins.
-- keys:
-- reaches:
--   service_doc    relayna.service_document
--   service_all    relayna.service_documents
--   service_set    relayna.service_filter
--   service_token  relayna.service_token
--   search_view    quorate.search_view
-- args:
--   index    text     the prefix of the search index
--   last     text     name and id that ended the page before; empty for none
--   limit    integer  most services
--   looks    integer  most services looked at
--   filters  integer  how many filters there are, a field and a value each
-- rest: more
-- returns: { "page", whether some are not listed by name, where the next begins, text… } | { "refused", reason, … }
-- writes: 0
-- use: guard_type, search_word
-- layout: plain-only, tagged counterpart names_tagged

local refusal = guard_type(search_view(index .. ':names'), 'zset') or guard_type(service_all(), 'set')
for place = 1, filters * 2, 2 do
  refusal = refusal or guard_type(service_set(more[place] .. ':' .. search_word(more[place + 1])), 'set')
end
for place = filters * 2 + 1, #more do
  refusal = refusal or guard_type(service_token(more[place]), 'set')
end
if refusal then
  return refusal
end
local function wanted(id)
  for place = 1, filters * 2, 2 do
    if redis.call('SISMEMBER', service_set(more[place] .. ':' .. search_word(more[place + 1])), id) == 0 then
      return false
    end
  end
  for place = filters * 2 + 1, #more do
    if redis.call('SISMEMBER', service_token(more[place]), id) == 0 then
      return false
    end
  end
  return true
end
local names = redis.call('ZRANGEBYLEX', search_view(index .. ':names'), last == '' and '-' or '(' .. last, '+', 'LIMIT', 0, looks + 1)
local lag = redis.call('SCARD', service_all()) > redis.call('ZCARD', search_view(index .. ':names'))
local answer, shown, ended = { 'page', lag and '1' or '', '' }, '', true
for place = 1, #names do
  local id = names[place]:match('%z([^%z]*)$')
  local text = id and wanted(id) and redis.pcall('GET', service_doc(id))
  if place > looks or (type(text) == 'string' and #answer - 3 == limit) then
    ended = false
    break
  elseif type(text) == 'string' then
    answer[#answer + 1] = text
  end
  shown = names[place]
end
answer[3] = ended and '' or shown
return answer
