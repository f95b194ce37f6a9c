#!lua
-- purpose: Sends one record of a service to who reads later and to who listens now.
-- guarantee: Both get the same record, or neither does.
-- keys:
--   stream   reverie.log_stream
--   channel  reverie.log_channel
-- args:
--   keep  integer  about how many records are kept
--   text  json     the record as listeners get it
-- rest: pairs_of
-- returns: { "sent", id } | { "refused", reason, detail }
-- writes: 1
-- use: guard_type, digits
-- layout: any

local refusal = guard_type(stream, 'stream')
if refusal then
  return refusal
end
local id = redis.call('XADD', stream, 'MAXLEN', '~', digits(keep), '*', unpack(pairs_of))
redis.call('PUBLISH', channel, text)
return { 'sent', id }
