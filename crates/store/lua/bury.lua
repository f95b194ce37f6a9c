-- purpose: Puts something that could not be done among the dead letters, with what is needed to understand and replay it.
-- gives: bury, unburiable
-- writes: 6
-- `source` and `fingerprint` are words of a key's path; `place` is what the source needs to take it back. A letter that
-- was replayed and died again is open again under its name. The script reaches `letter` (quorate.dead_letter) and `view`
-- (quorate.dead_view) and uses `dead_lists`. `unburiable`, which needs `guard_type`, is asked before anything is taken away from where it was.
local function unburiable(name, source, fingerprint)
  return guard_type(letter(name), 'hash') or bad_lists(source, fingerprint)
end
local function bury(name, source, item, original, reason, attempts, fingerprint, by, place, ms)
  local died = string.format('%.0f', ms)
  local before = redis.call('HGET', letter(name), 'fingerprint')
  redis.call('HSET', letter(name), 'source', source, 'item', item, 'original', original, 'reason', reason, -- drains: it is kept
    'attempts', attempts, 'fingerprint', fingerprint, 'by', by, 'place', place, 'died_at', died, 'state', 'open')
  redis.call('HDEL', letter(name), 'request', 'replayed_as')
  for _, which in ipairs({ '', 'open:' }) do
    if before and before ~= fingerprint then
      unlist(which, name, source, before)
    end
    redis.call('ZADD', view(which .. 'all'), died, name)
    redis.call('ZADD', view(which .. 'source:' .. source), died, name)
    redis.call('ZADD', view(which .. 'cluster:' .. fingerprint), died, name)
    redis.call('ZADD', view(which .. 'clusters'), died, fingerprint)
  end
end
