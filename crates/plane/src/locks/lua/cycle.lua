-- purpose: Finds a ring of agents that wait for each other, and fails the wait of one of them.
-- gives: break_cycles, break_closed, find_cycle
-- writes: 0
-- Walks only from one agent: a ring that its new wait, or its new hold, has closed runs through it. A walk that is longer
-- than its budget says so, and is then done from outside, in steps, with `sever` to look again and commit. Who waits for
-- all of a lock waits for every holder of it, so that lock need not be walked again; only what the start holds itself is
-- in everybody's way but its own. An incarnation that is gone neither waits nor is waited for: what it holds passes on.
local function find_cycle(start, ms)
  local first = redis.call('HGET', record_of(start), 'epoch')
  local seen, walked, path, budget = {}, {}, {}, 64
  local function visit(agent, epoch)
    local asked = redis.call('HGETALL', waits(agent))
    for place = 1, #asked > 0 and living(agent, epoch, ms) and #asked or 0, 2 do
      local request, ref = asked[place], asked[place + 1]
      local by = walked[ref]
      local waiter = (not by or (by == start and agent ~= start)) and read_waiter(redis.call('HGET', waiters(ref), request))
      budget = waiter and budget - 1 or budget
      if waiter and waiter.e == epoch and asking(waiter, ms) and budget > 0 then
        local lock = load(ref, ms)
        walked[ref], budget = waiter.m == 'x' and agent or by, budget - math.floor(#lock.h / 16)
        path[#path + 1] = { a = agent, ref = ref, r = request, w = waiter }
        for _, hold in ipairs(blockers(ref, lock, request, waiter, ms)) do
          local who = hold.a .. ' ' .. hold.e
          if hold.a == start and hold.e == first then
            return true
          end
          if hold.a ~= start and not seen[who] then
            seen[who] = true
            if visit(hold.a, hold.e) then
              return true
            end
          end
        end
        path[#path] = nil
      end
    end
    return false
  end
  return first and visit(start, first) and path or nil, budget <= 0
end
-- Whoever was behind the one that gives way may have the lock by that, and be in the way of others itself.
local function break_cycles(start, us, ms)
  local from, long = { start }, false
  for _ = 1, 8 do
    local path, far = find_cycle(from[1], ms)
    for _, hold in ipairs(path and give_way(path, us, ms) or {}) do
      from[#from + 1] = redis.call('EXISTS', waits(hold.a)) == 1 and hold.a or nil
    end
    if not path then
      table.remove(from, 1)
      long = long or far
    end
    if not from[1] then
      return long
    end
  end
end
-- A grant puts its agent in the way of those who wait on, so it may close a ring; the lock has been saved.
local function break_closed(granted, detect, us, ms)
  for _, hold in ipairs(granted) do
    if detect == 1 and redis.call('EXISTS', waits(hold.a)) == 1 then
      break_cycles(hold.a, us, ms)
    end
  end
end
