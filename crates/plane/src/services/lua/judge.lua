#!lua flags=allow-oom
-- purpose: Says whether a service, the list and the index of URLs agree, and puts list and index right.
-- guarantee: Looks at the record itself before it writes; a record is never touched.
-- keys:
--   record  relayna.service
--   all     relayna.service_index
-- keys-rest: place relayna.service_by_url   where its record says that it is, if that can be read
-- args:
--   id      text     the service
--   before  text     the record as it was read; empty for none
--   repair  integer  1 to put it right
-- returns: { "judged", "" | "dangling" | "hidden" | "unread" | "unplaced" | "clash" } | { "refused", reason, detail }
-- writes: 4
-- use: guard_type
-- layout: plain-only, tagged counterpart judge_tagged

local refusal = guard_type(record, 'string') or guard_type(all, 'set') or (place[1] and guard_type(place[1], 'string'))
if refusal then
  return refusal
end
local known = redis.call('GET', record) or ''
if known ~= before then
  return { 'judged', '' }
end
local listed = redis.call('SISMEMBER', all, id) == 1
if known == '' then
  if listed and repair == 1 then
    redis.call('SREM', all, id)
  end
  return { 'judged', listed and 'dangling' or '' }
end
if not listed then
  if repair == 1 then
    redis.call('SADD', all, id) -- drains: one name
    if place[1] and redis.call('EXISTS', place[1]) == 0 then
      redis.call('SET', place[1], id) -- drains: one name
    end
  end
  return { 'judged', 'hidden' }
end
if not place[1] then
  return { 'judged', 'unread' }
end
local owner = redis.call('GET', place[1])
if not owner and repair == 1 then
  redis.call('SET', place[1], id) -- drains: one name
end
return { 'judged', not owner and 'unplaced' or owner ~= id and 'clash' or '' }
