-- purpose: The server's time: microseconds, whole milliseconds, and the microseconds as text.
-- gives: now
-- writes: 0
-- A number beyond 10^14 turned into text by Lua itself loses its last digits, hence the third result.
local function now()
  local time = redis.call('TIME')
  local us = time[1] * 1000000 + time[2]
  return us, math.floor(us / 1000), string.format('%.0f', us)
end
