-- purpose: Notes what became of an occurrence, and puts it into its queue as queues write their items.
-- gives: note, enqueue
-- writes: 5
-- Fields are planned times; `s:<number>` says which planned time was the so-manieth, so that the oldest can make room.
local function note(job, number, planned, text)
  redis.call('HSET', runs(job), planned, text)
  if number > 0 then
    local oldest = redis.call('HGET', runs(job), 's:' .. digits(number - 200))
    if oldest then
      redis.call('HDEL', runs(job), oldest, 's:' .. digits(number - 200))
    end
    redis.call('HSET', runs(job), 's:' .. digits(number), planned)
  end
  redis.call('PEXPIRE', runs(job), 2592000000)
end
local function enqueue(name, job, planned, payload, ms)
  redis.call('LPUSH', queue(name), '{"at":' .. digits(ms) .. ',"id":"' .. job .. '.' .. planned .. '","payload":' .. payload .. '}')
end
