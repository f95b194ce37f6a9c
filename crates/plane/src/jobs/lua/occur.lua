-- purpose: Notes what became of an occurrence, and puts it into its queue as queues write their items.
-- gives: note, enqueue
-- writes: 5
-- Fields are planned times; `s:<number>` says which planned time was the so-manieth, so that the oldest can make room.
local function note(number, planned, text)
  redis.call('HSET', runs, planned, text)
  if number > 0 then
    local oldest = redis.call('HGET', runs, 's:' .. digits(number - 200))
    if oldest then
      redis.call('HDEL', runs, oldest, 's:' .. digits(number - 200))
    end
    redis.call('HSET', runs, 's:' .. digits(number), planned)
  end
  redis.call('PEXPIRE', runs, 2592000000)
end
local function enqueue(job, planned, payload, ms)
  redis.call('LPUSH', queue, '{"at":' .. digits(ms) .. ',"id":"' .. job .. '.' .. planned .. '","payload":' .. payload .. '}')
end
