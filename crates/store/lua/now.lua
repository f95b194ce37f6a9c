-- purpose: The server's time in microseconds, and in whole milliseconds.
-- gives: now
-- writes: 0
local function now()
  local time = redis.call('TIME')
  local us = time[1] * 1000000 + time[2]
  return us, math.floor(us / 1000)
end
