-- purpose: The short way for one of many readers to come and to go: the others are not looked at.
-- gives: reader_joins, reader_goes
-- reaches: due quorate.lock_due
-- writes: 4
-- Each gives nothing, and has written nothing, where there is more to do: the long way does it.
local function reader_joins(text, ref, hold, us, ms)
  local known = crowd(text, hold.k, hold.a, ms)
  if not known or known.own or known.w > 0 or known.count >= 1000 or hold.p:find('\n', 1, true) then
    return nil
  end
  hold.f = math.max(known.f + 1, us)
  local json = spliced(hold)
  if not json then
    return nil
  end
  known.f, known.count = hold.f, known.count + 1
  known.first, known.last = math.min(known.first, hold.u), math.max(known.last, hold.u)
  keep_crowd(ref, known, reader_line(hold) .. '\n')
  redis.call('ZADD', due(), 'LT', digits(hold.u), ref) -- drains: one entry for a lock that is held
  show_hold(ref, { json = json, last = known.last, f = hold.f }, hold, ms)
  tell(ref, 'acquired', hold.a, hold.f, us)
  return hold
end
local function reader_goes(text, ref, seed, agent, fence, us, ms)
  local known = crowd(text, seed, agent, ms)
  local own = known and known.own
  -- Who waits for a few readers may be next.
  if not own or digits(own.f) ~= fence or known.count < 2 or (known.w > 0 and known.count <= 64) then
    return nil
  end
  local json = spliced(own, own)
  if not json then
    return nil
  end
  known.x, known.count = fence .. ',' .. agent, known.count - 1
  keep_crowd(ref, known, '')
  redis.call('ZREM', holds(agent), ref .. ' s')
  redis.call('SREM', index_of(agent), seed)
  redis.call('HSET', seed, 'holders', json) -- drains: it replaces a value
  tell(ref, 'released', agent, own.f, us)
  return own
end
