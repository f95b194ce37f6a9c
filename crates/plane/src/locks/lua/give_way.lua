-- purpose: Fails the wait of one agent of a ring, and tells it the whole ring.
-- gives: give_way, fail, edge_text, ruling
-- writes: 0
-- The victim is the lowest priority, then the youngest; nothing that is held is ever taken away.
local function edge_text(edge)
  local area = edge.w.m:match('^a:(.+)$')
  return edge.a .. ' waits for ' .. edge.ref .. (area and ':' .. area or '')
end
-- The answer for a request that was decided while it was in line; a long ring is more than Lua can unpack.
local function ruling(waiter)
  table.insert(waiter.c, 1, waiter.v)
  return waiter.c
end
local function fail(victim, names, us, ms)
  local lock = load(victim.ref, ms)
  forget(victim.ref, lock, victim.r, victim.w, ms)
  decide(victim.ref, victim.r, victim, 'deadlock', names, ms)
  tell(victim.ref, 'deadlock', victim.a, lock.f, us)
  wake(victim.w.x, victim.r)
  local granted = settle(victim.ref, lock, us, ms)
  save(victim.ref, lock)
  return granted
end
local function give_way(path, us, ms)
  local victim, names = path[1], {}
  for place, edge in ipairs(path) do
    names[place] = edge_text(edge)
    local lower = edge.w.o < victim.w.o or (edge.w.o == victim.w.o and edge.w.t > victim.w.t)
    victim = lower and edge or victim
  end
  return fail(victim, names, us, ms)
end
