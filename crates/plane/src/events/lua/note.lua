#!lua flags=allow-oom
-- purpose: Writes down what the plane reports of itself.
-- guarantee: Nothing is trimmed and nobody is waited for.
-- keys:
--   stream  reverie.environment_log   or scrape_audit
-- args:
--   source  text  who reports
-- rest: words
-- returns: { "noted", id } | { "refused", reason, detail }
-- writes: 1
-- use: now, iso, guard_type
-- layout: any

local us = now()
local refusal = guard_type(stream, 'stream')
if refusal then
  return refusal
end
local fields = { 'ts', iso(us), 'source', source }
for _, word in ipairs(words) do
  fields[#fields + 1] = word
end
return { 'noted', redis.call('XADD', stream, '*', unpack(fields)) } -- drains: trimmed by length, and most wanted when the server is full
