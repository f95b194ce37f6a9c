-- purpose: The record of many readers, and the short way to renew one of them: the others are not looked at.
-- gives: crowd, keep_crowd, reader_stays
-- writes: 5
-- It gives nothing, and has written nothing, where there is more to do: the long way does it. That is also when the first of
-- the readers may have lapsed. When the last of them lapses is known as a bound, until all of it is reckoned again.
local function crowd(text, seed, agent, ms)
  local fence, waiting, arrival, released, key, first, last, count, lines =
    (text or ''):match('^r (%d+) (%d+) (%S+) (%S+) (%S+) (%d+) (%d+) (%d+)(\n.*)$')
  if key ~= seed or tonumber(first) <= ms or not redis.call('HGET', seed, 'fence_token') then
    return nil
  end
  local from, to = lines:find('\n' .. agent .. ' ', 1, true)
  local known = { f = tonumber(fence), w = tonumber(waiting), q = arrival, x = released, k = key, first = tonumber(first),
    last = tonumber(last), count = tonumber(count), before = lines, after = '' }
  if from then
    to = lines:find('\n', to, true)
    known.before, known.after = lines:sub(1, from), lines:sub(to + 1)
    local line = lines:sub(from + 1, to - 1)
    local epoch, lapse = line:match('^%S+ (%d+) %d+ (%d+) ')
    known.own = read_reader(line, { a = agent, e = epoch, m = 's', u = tonumber(lapse), k = key })
  end
  return known
end
local function keep_crowd(ref, known, line)
  redis.call('SET', state(ref), 'r ' .. digits(known.f) .. ' ' .. known.w .. ' ' .. known.q .. ' ' .. known.x .. ' ' .. known.k .. ' '
    .. known.first .. ' ' .. known.last .. ' ' .. known.count .. known.before .. line .. known.after, 'PX', 604800000) -- drains: it replaces a value
end
local function reader_stays(text, ref, seed, agent, fence, ttl_ms, ms)
  local known = crowd(text, seed, agent, ms)
  local own = known and known.own
  if not own or digits(own.f) ~= fence then
    return nil
  end
  own.l = ttl_ms > 0 and ttl_ms or own.l
  own.u, own.n = ms + own.l, own.n + 1
  known.last = math.max(known.last, own.u)
  keep_crowd(ref, known, reader_line(own) .. '\n')
  redis.call('ZADD', holds(agent), own.u, ref .. ' s') -- drains: it replaces a score
  redis.call('HSET', seed, 'expires_at', iso(known.last * 1000)) -- drains: it replaces a value
  redis.call('PEXPIRE', seed, known.last - ms)
  redis.call('ZADD', registry(), string.format('%.3f', known.last / 1000), seed) -- drains: it replaces a score
  return own
end
