#!lua
-- purpose: Tells what the fragments make of the time.
-- guarantee: Text and numbers name the same instant.
-- keys:
-- args:
--   instant  integer  microseconds, or a negative number for now
-- returns: { microseconds, milliseconds, digits, ISO text }
-- writes: 0
-- use: now, iso, digits
-- layout: any
local us, ms = now()
local text = string.format('%.0f', us)
if instant >= 0 then
  us, ms, text = instant, math.floor(instant / 1000), digits(instant)
end
return { us, ms, text, iso(us) }
