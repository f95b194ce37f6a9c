#!lua
-- purpose: Adds one sample to a series: names and values, one after the other.
-- guarantee: A series has one sample for a moment, in order, and never more than the cap.
-- keys:
--   series  quorate.series
-- args:
--   moment  text     the moment, a multiple of the interval, in Unix milliseconds
--   cap     integer  how many samples are kept
--   life    integer  after how many milliseconds without a sample the series goes
-- rest: numbers
-- returns: { "noted" } | { "held" }
-- writes: 2
-- use: guard_type
-- layout: any

local refusal = guard_type(series, 'stream')
if refusal then
  return refusal
end
local newest = redis.call('XREVRANGE', series, '+', '-', 'COUNT', 1)[1]
if newest and tonumber(newest[1]:match('^%d+')) >= tonumber(moment) then
  return { 'held' }
end
redis.call('XADD', series, 'MAXLEN', cap, moment .. '-0', unpack(numbers))
redis.call('PEXPIRE', series, life)
return { 'noted' }
