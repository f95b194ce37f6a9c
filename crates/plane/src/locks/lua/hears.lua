-- purpose: Whether a process that waits would hear of a grant: it listens for messages, or it asks right now.
-- gives: hears
-- writes: 0
-- A process that was killed no longer listens, long before its silence says that it is gone. Who only left a place in line need
-- not hear, and where the server does not tell, its silence has to.
local function hears(process, asked, ms)
  if process == '-' or asked >= ms then
    return true
  end
  local listening = redis.pcall('PUBSUB', 'NUMSUB', wakes(process))
  return type(listening[2]) ~= 'number' or listening[2] > 0
end
