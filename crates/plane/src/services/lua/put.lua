#!lua
-- purpose: Registers a service, or changes one.
-- guarantee: Of all who come at once, one has an environment and a URL. Record, list and index of URLs are written together, and
--   only over the record that was read.
-- keys:
--   record   relayna.service
--   all      relayna.service_index
--   place    relayna.service_by_url      where it answers from now on
--   left     relayna.service_by_url      where it answered until now
--   leaving  quorate.services_leaving
--   answers  quorate.service_answers
-- keys-rest: claimant relayna.service   of whoever the index names at its place
-- args:
--   id       text     the service
--   before   text     the record as it was read; empty for one that is new
--   after    json     the record as it is to be
--   claimed  text     whom the index names at its place, as it was read; empty for nobody
--   claim    text     the record of that one, as it was read; empty if there is none
--   holds    text     whether that record is really at this place
--   most     integer  most services
--   request  request  the id of the call
-- returns: { "put" } | { "refused", reason, detail }
-- writes: 7
-- use: guard_type, digits, answers
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

redis.call('SET', record, after)
redis.call('SADD', all, id)
redis.call('SET', place, id)
if left ~= place and redis.call('GET', left) == id then
  redis.call('DEL', left)
end
return remember(answers, request, { 'put' }, 64, 600000)
