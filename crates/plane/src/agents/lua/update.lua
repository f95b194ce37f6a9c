#!lua
-- purpose: Patches an agent's own record.
-- guarantee: All fields change or none; a blob merged from an old view is refused.
-- keys:
--   session   reverie.session
--   record    quorate.agent
--   answers   quorate.answers
-- args:
--   request  request  the id of the call
--   epoch    text     the caller's epoch, or empty for the current one
--   merged   integer  1 if the blob among the fields was made from the one in `seen`
--   seen     text     the blob the caller has seen, empty for none
-- rest: fields
-- returns: { "updated", version } | { "refused", reason, … }
-- writes: 5
-- use: now, digits, guard_type, answers, admit
-- layout: any

local refusal = guard_type(session, 'hash') or guard_type(record, 'hash') or guard_type(answers, 'hash')
if refusal then
  return refusal
end
local again = recall(answers, request)
if again then
  return again
end
local _, ms = now()
local refused = admit(record, epoch, ms)
if refused then
  return refused
end
-- Writing to a session that another client removed would make one that never expires.
if redis.call('EXISTS', session) == 0 then
  return { 'refused', 'unregistered' }
end
if merged == 1 and (redis.call('HGET', session, 'blob') or '') ~= seen then
  return { 'refused', 'conflict' }
end
local version = digits((tonumber(redis.call('HGET', record, 'version')) or 0) + 1)
redis.call('HSET', record, 'version', version)
redis.call('HSET', session, unpack(fields))
return remember(answers, request, { 'updated', version }, 64, 600000)
