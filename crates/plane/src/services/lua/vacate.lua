#!lua flags=allow-oom
-- purpose: Takes a place out of the index of URLs at which its service is not.
-- guarantee: Only while the index and the record of that service are as they were read.
-- keys:
--   place   relayna.service_by_url
--   record  relayna.service
-- args:
--   owner   text  whom the index names
--   before  text  that one's record as it was read; empty for none
-- returns: { "vacated" | "changed" } | { "refused", reason, detail }
-- writes: 1
-- use: guard_type
-- layout: plain-only, tagged counterpart vacate_tagged

local refusal = guard_type(place, 'string') or guard_type(record, 'string')
if refusal then
  return refusal
end
if redis.call('GET', place) ~= owner or (redis.call('GET', record) or '') ~= before then
  return { 'changed' }
end
redis.call('DEL', place)
return { 'vacated' }
