#!lua
-- purpose: Puts events on a stream, all or none.
-- guarantee: Nothing is trimmed and nobody is waited for; a call that is repeated because its answer was lost adds nothing.
-- keys:
--   stream  reverie.events   or any other event stream
-- args:
--   request  text     the id of the call, kept in its events
--   age_ms   integer  how long ago the call was first made; 0 for a first attempt
--   parent   text     the place in a trace they belong to, or empty
--   state    text     what goes with that, or empty
-- rest: words
-- returns: { "published", id… } | { "refused", reason, detail }
-- writes: 2
-- use: now, iso, guard_type, request
-- layout: any

local us, ms = now()
local refusal = guard_type(stream, 'stream')
if refusal then
  return refusal
end
local before_this = added_by(request, age_ms, ms, #words / 3)
if #before_this > 0 then
  return { 'published', unpack(before_this) }
end
local answer = { 'published' }
for place = 1, #words, 3 do
  -- The request stands last: that is where a repeated call looks for it.
  if parent == '' then
    answer[#answer + 1] = redis.call('XADD', stream, '*', 'event', words[place], 'timestamp', iso(us), 'payload', words[place + 1],
      'source', words[place + 2], 'request', request)
  else
    answer[#answer + 1] = redis.call('XADD', stream, '*', 'event', words[place], 'timestamp', iso(us), 'payload', words[place + 1],
      'source', words[place + 2], 'traceparent', parent, 'tracestate', state, 'request', request)
  end
end
return answer
