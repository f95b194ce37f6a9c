-- purpose: Lists a job among those that have ended, and takes some out whose records are gone.
-- gives: retire
-- writes: 2
local function retire(job, ms)
  redis.call('ZADD', ended, ms + 2592000000, job) -- drains: twenty may go for the one that comes
  local gone = redis.call('ZRANGE', ended, '-inf', ms, 'BYSCORE', 'LIMIT', 0, 20)
  if #gone > 0 then
    redis.call('ZREM', ended, unpack(gone))
  end
end
