#!lua
-- purpose: Notes how a service fared when it was looked at.
-- guarantee: The verdict and what the service said of itself are written together, over the record that was read; a service that
--   was deleted or changed meanwhile is not brought back.
-- keys:
--   record  relayna.service
--   health  relayna.service_health
-- args:
--   id        text  the service
--   before    text  the record as it was read
--   after     json  the record as it is to be
--   document  json  the verdict
-- returns: { "noted" } | { "refused", reason, detail }
-- writes: 2
-- use: guard_type
-- layout: plain-only, tagged counterpart note_tagged

local refusal = guard_type(record, 'string') or guard_type(health, 'string')
if refusal then
  return refusal
end
local known = redis.call('GET', record)
if not known then
  return { 'refused', 'no_service', id }
end
if known ~= before then
  return { 'refused', 'conflict' }
end
if after ~= before then
  redis.call('SET', record, after)
end
redis.call('SET', health, document)
return { 'noted' }
