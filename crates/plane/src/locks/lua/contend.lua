-- purpose: The long way to a lock: lapsed and dead holders leave, foreign ones are met, and who must wait gets a place.
-- gives: contend
-- writes: 2
-- A new wait closes a ring only if one of those it waits for waits too.
local function is_waiting(lock)
  for _, hold in ipairs(lock.h) do
    if redis.call('EXISTS', waits(hold.a)) == 1 then
      return true
    end
  end
  return false
end
-- Who has it, or would have it next: whoever comes then has to wait for them.
local function first_of(ref, lock)
  local request = not lock.h[1] and redis.call('ZRANGE', order(ref), 0, 0)[1]
  local waiter = request and read_waiter(redis.call('HGET', waiters(ref), request))
  return lock.h[1] and lock.h[1].a or waiter and waiter.a or 'a waiting agent'
end
local function attempt(us, ms, current, ade, text, ttl_ms, wish, served)
  local delay_ms, wait_ms, priority, process, detect = wish[1], wish[2], wish[3], wish[4], wish[5]
  local refusal = not ade and guard_type(seed, 'string') or ade and (guard_type(waitfor(agent), 'set') or guard_type(capacity_of(agent), 'hash')
    or (ref:sub(1, 5) == 'task:' and guard_type(mirror(ref:sub(6)), 'zset')))
  if refusal then
    return refusal
  end
  local lock, lapsed = load(ref, ms, text), false
  local had = of_request(lock, request)
  if had and had.u > ms then
    return granted(had)
  end
  for _, hold in ipairs(lock.h) do
    lapsed = lapsed or hold.u <= ms
  end
  if lapsed or (lock.b and lock.b <= ms) then
    served[#served + 1] = settle(ref, lock, us, ms)
  end
  local owner, lapses = foreign(ref, lock, seed, ms)
  if owner and lock.z ~= owner then
    lock.z, lock.zt = owner, ms
  end
  local own, rival
  local function clash()
    own, rival = nil, nil
    for _, hold in ipairs(lock.h) do
      if hold.a == agent and hold.e == current and (hold.m == mode or mode == 'x' or hold.m == 'x') then
        own = hold
      elseif hold.a ~= agent and not compatible(hold.m, mode) then
        rival = rival or hold
      end
    end
    return rival and rival.a or owner or (lock.b and 'a lock delay') or (#lock.h >= 1000 and not own and 'a thousand holders')
  end
  local blocker, idle = clash(), lock.w == 0
  -- Who waits finds out soon enough that the holder is dead, with its first look.
  if (lock.w > 0 and not blocker) or (rival and (wait_ms == 0 or process == '-') and not living(rival.a, rival.e, ms)) then
    served[#served + 1], idle = settle(ref, lock, us, ms, true)
    blocker = clash()
  end
  -- Who has all of a project has each part of it: giving up the rest would be a surprise.
  if own and (own.m == mode or own.m == 'x' and mode:sub(1, 2) == 'a:') then
    own.u = math.max(own.u, ms + ttl_ms)
    show_hold(ref, lock, own, ms)
    save(ref, lock)
    return granted(own) .. ' again'
  end
  local most = is_full(ref, agent, ms)
  if most then
    save(ref, lock)
    return { 'refused', 'capacity', most }
  end
  local wanted = { a = agent, e = current, m = mode, l = ttl_ms, p = purpose, k = seed, c = delay_ms }
  if not blocker and (own or idle) then
    local hold = seize(ref, lock, request, wanted, us, ms)
    if own and own.m == 'x' then
      served[#served + 1] = settle(ref, lock, us, ms)
    end
    save(ref, lock)
    tell(ref, 'acquired', agent, hold.f, us)
    return granted(hold)
  end
  if wait_ms == 0 then
    save(ref, lock)
    return { 'refused', 'held', blocker or first_of(ref, lock), digits(rival and rival.u or lapses or lock.b or 0), digits(rival and rival.f or 0) }
  end
  wanted.d, wanted.o, wanted.t, wanted.x = ms + wait_ms, priority, us, process
  wanted.y, wanted.s = process ~= '-' and ms or 0, math.ceil(wait_ms / 1000)
  local long
  if redis.call('HSETNX', waiters(ref), request, waiter_text(wanted)) == 1 then
    enqueue(ref, lock, request, wanted, own, ade, ms)
    count_tasks(ref, agent, ms)
    tell(ref, 'queued', agent, lock.f, us)
    save(ref, lock)
    if detect == 1 and is_waiting(lock) then
      long = break_cycles(agent, us, ms)
    elseif process ~= '-' then
      return 'queued ' .. lock.w
    end
  end
  local place = redis.call('ZRANK', order(ref), request)
  if place then
    return 'queued ' .. place + 1 .. (long and ' long' or '')
  end
  local verdict = read_waiter(redis.call('HGET', waiters(ref), request))
  redis.call('HDEL', waiters(ref), request)
  return ruling(verdict)
end
-- Others may get the lock on the way, and close a ring by it.
local function contend(us, ms, current, ade, text, ttl_ms)
  local delay_ms, wait_ms, priority, process, detect = more:match('^(%d+) (%d+) (%S+) (%S+) (%d)$')
  local wish, served = { tonumber(delay_ms), tonumber(wait_ms), tonumber(priority), process, tonumber(detect) }, {}
  local answer = attempt(us, ms, current, ade, text, ttl_ms, wish, served)
  for _, granted in ipairs(served) do
    break_closed(granted, wish[5], us, ms)
  end
  return answer
end
