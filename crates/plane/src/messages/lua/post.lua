-- purpose: Puts a message into an inbox, newest at the head as the seed has it, with its record and its places in the indexes.
-- gives: post, unpostable
-- writes: 8
-- What the sender wrote comes as JSON fields and is joined as it is; only ids and times are put before it. The inbox comes
-- last: a message that stands there has a record.
local function unpostable(to)
  return guard_type(inbox(to), 'list') or guard_type(letters(to), 'zset') or guard_type(mailed(to), 'zset')
end
local function file(index, id, us)
  redis.call('ZADD', index, string.format('%.3f', us / 1000), id)
  redis.call('ZREMRANGEBYSCORE', index, '-inf', string.format('(%.3f', us / 1000 - 604800000))
  redis.call('PEXPIRE', index, 604800000)
end
local function post(id, to, from, thread, fields, ack_by, us)
  local element = '{"id":"' .. id .. '","sent_at":"' .. iso(us) .. '",'
    .. (ack_by > 0 and '"ack_by":"' .. iso(ack_by * 1000) .. '",' or '') .. fields
  redis.call('HSET', message(id), 'to', to, 'from', from, 'element', element, 'sent_at', digits(us))
  if thread ~= '' then
    redis.call('HSET', message(id), 'thread', thread)
    file(thread_of(thread), id, us)
  end
  if ack_by > 0 then
    redis.call('HSET', message(id), 'ack_by', digits(ack_by * 1000))
    redis.call('ZADD', deadlines, digits(ack_by), id)
  end
  file(mailed(to), id, us)
  if from ~= to then
    file(mailed(from), id, us)
  end
  redis.call('ZADD', letters(to), 0, id)
  redis.call('LPUSH', inbox(to), element)
end
