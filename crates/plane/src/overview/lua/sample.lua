#!lua
-- purpose: Gives one process the right to take the sample of this moment.
-- guarantee: Of all processes that ask within one interval, one is told to take the sample.
-- keys:
--   sampled  quorate.sampled
-- args:
--   every  integer  the interval in milliseconds
-- returns: { "yours", moment } | { "held", moment }
-- writes: 1
-- use: guard_type, now
-- layout: any

local refusal = guard_type(sampled, 'string')
if refusal then
  return refusal
end
local _, ms = now()
local moment = string.format('%.0f', ms - ms % every)
local last = tonumber(redis.call('GET', sampled) or '0') or 0
if last >= tonumber(moment) then
  return { 'held', moment }
end
redis.call('SET', sampled, moment, 'PX', 86400000)
return { 'yours', moment }
