-- purpose: Finds a ring of agents that wait for each other, and fails the wait of one of them.
-- gives: break_cycles, find_cycle
-- writes: 1
-- Walks only from one agent: a ring that its new wait, or its new hold, has closed runs through it. A request is blocked
-- by the holders that it, or one of those before it, does not fit with; who waits for all of a lock fits with none. The
-- victim is the lowest priority, then the youngest; nothing that is held is ever taken away.
local function blockers(ref, lock, request, waiter)
  local found, modes = {}, { [waiter.m] = true }
  local place = redis.call('ZRANK', order(ref), request) or 0
  -- Only areas and readers can be before each other and fit; the first of them say enough.
  for _, before in ipairs(place > 0 and waiter.m ~= 'x' and redis.call('ZRANGE', order(ref), 0, math.min(place, 64) - 1) or {}) do
    local other = read_waiter(redis.call('HGET', waiters(ref), before))
    modes[other and other.m or waiter.m] = true
  end
  for _, hold in ipairs(lock.h) do
    for mode in pairs(modes) do
      if hold.a ~= waiter.a and not compatible(hold.m, mode) and found[#found] ~= hold.a then
        found[#found + 1] = hold.a
      end
    end
  end
  return found
end
local function find_cycle(start, ms)
  local seen, path, budget = { [start] = true }, {}, 300
  local function visit(agent)
    local asked = redis.call('HGETALL', waits(agent))
    for place = 1, #asked, 2 do
      local request, ref = asked[place], asked[place + 1]
      local waiter = read_waiter(redis.call('HGET', waiters(ref), request))
      budget = budget - 1
      if waiter and not waiter.v and waiter.d > ms and budget > 0 then
        path[#path + 1] = { a = agent, ref = ref, r = request, w = waiter }
        for _, holder in ipairs(blockers(ref, load(ref, ms), request, waiter)) do
          if holder == start then
            return true
          end
          if not seen[holder] then
            seen[holder] = true
            if visit(holder) then
              return true
            end
          end
        end
        path[#path] = nil
      end
    end
    return false
  end
  return visit(start) and path or nil
end
local function break_cycles(start, us, ms)
  for _ = 1, 8 do
    local path = find_cycle(start, ms)
    if not path then
      return
    end
    local victim, names = path[1], {}
    for place, edge in ipairs(path) do
      names[place] = edge.a .. ' waits for ' .. edge.ref
      local lower = edge.w.o < victim.w.o or (edge.w.o == victim.w.o and edge.w.t > victim.w.t)
      victim = lower and edge or victim
    end
    local lock = load(victim.ref, ms)
    forget(victim.ref, lock, victim.r, victim.w)
    redis.call('HSET', waiters(victim.ref), victim.r, cmsgpack.pack({ v = 'deadlock', c = names, a = victim.a, d = ms + 60000 }))
    tell(victim.ref, 'deadlock', victim.a, lock.f, us)
    wake(victim.w.x, victim.r)
    settle(victim.ref, lock, us, ms)
    save(victim.ref, lock)
  end
end
