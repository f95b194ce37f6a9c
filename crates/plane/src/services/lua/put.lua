#!lua
-- purpose: Registers a service, or changes one.
-- guarantee: Of all who come at once, one has an environment and a URL. Record, list, index of URLs and search are written
--   together, and only over the record that was read.
-- keys:
--   record   relayna.service
--   all      relayna.service_index
--   place    relayna.service_by_url      where it answers from now on
--   left     relayna.service_by_url      where it answered until now
--   leaving  quorate.services_leaving
--   answers  quorate.service_answers
-- keys-rest: claimant relayna.service   of whoever the index names at its place
-- reaches:
--   service_doc    relayna.service_document
--   service_all    relayna.service_documents
--   service_set    relayna.service_filter
--   service_token  relayna.service_token
--   search_view    quorate.search_view
-- args:
--   id       text     the service
--   before   text     the record as it was read; empty for one that is new
--   after    json     the record as it is to be
--   claimed  text     whom the index names at its place, as it was read; empty for nobody
--   claim    text     the record of that one, as it was read; empty if there is none
--   holds    text     whether that record is really at this place
--   most     integer  most services
--   index    text     the prefix of the search index
--   found    json     what the search shows of it
--   request  request  the id of the call
-- returns: { "put" } | { "refused", reason, detail }
-- writes: 15
-- use: now, guard_type, digits, answers, search_word, service_places, search_service
-- layout: plain-only, tagged counterpart put_tagged

local refusal = guard_type(record, 'string') or guard_type(all, 'set') or guard_type(place, 'string')
  or guard_type(left, 'string') or guard_type(leaving, 'zset') or guard_type(answers, 'hash')
if refusal then
  return refusal
end
local again = recall(answers, request)
if again then
  return again
end
local known = redis.call('GET', record) or ''
if before == '' and known ~= '' then
  return { 'refused', 'service_exists', id }
end
if known ~= before then
  return { 'refused', 'conflict' }
end
if redis.call('ZSCORE', leaving, id) then
  return { 'refused', 'service_leaving', id }
end
local owner = redis.call('GET', place) or ''
if owner ~= '' and owner ~= id then
  local told = claimant[1] and redis.call('GET', claimant[1]) or ''
  if owner ~= claimed or told ~= claim then
    return { 'refused', 'conflict' }
  end
  if holds ~= '' then
    return { 'refused', 'url_taken', owner }
  end
end
if before == '' and redis.call('SCARD', all) >= most then
  return { 'refused', 'too_many_services', digits(most) }
end

local shown, wrong = search_service(index, id, found)
if wrong then
  return wrong
end
redis.call('SET', record, after)
redis.call('SADD', all, id)
redis.call('SET', place, id)
if left ~= place and redis.call('GET', left) == id then
  redis.call('DEL', left)
end
shown()
return remember(answers, request, { 'put' }, 64, 600000)
