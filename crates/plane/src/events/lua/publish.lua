#!lua
-- purpose: Puts events on a stream, all or none.
-- guarantee: Nothing is trimmed and nobody is waited for; a call that is repeated because its answer was lost adds nothing.
-- keys:
--   stream  reverie.events   or any other event stream
-- args:
--   request  text     the id of the call, kept in its first event
--   age_ms   integer  how long ago the call was first made; 0 for a first attempt
-- rest: words
-- returns: { "published", id… } | { "refused", reason, detail }
-- writes: 1
-- use: now, iso, guard_type
-- layout: any

local us, ms = now()
local refusal = guard_type(stream, 'stream')
if refusal then
  return refusal
end
local events = #words / 3
if age_ms > 0 then
  local ids, found = {}, false
  for _, entry in ipairs(redis.call('XRANGE', stream, string.format('%.0f', ms - age_ms - 1000), '+', 'COUNT', 10000)) do
    local fields = entry[2]
    found = found or (fields[#fields - 1] == 'request' and fields[#fields] == request)
    if found and #ids < events then
      ids[#ids + 1] = entry[1]
    end
  end
  if found then
    return { 'published', unpack(ids) }
  end
end
local answer = { 'published' }
for place = 1, #words, 3 do
  answer[#answer + 1] = redis.call('XADD', stream, '*', 'event', words[place], 'timestamp', iso(us), 'payload', words[place + 1],
    'source', words[place + 2], 'request', request)
end
return answer
