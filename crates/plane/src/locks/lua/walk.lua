#!lua flags=no-writes
-- purpose: Says for some agents what each waits for and who is in its way, and for those in turn: a stretch of a walk that is too long for a script.
-- guarantee: A stretch is of one moment; the whole walk is not, so whoever acts on it looks again.
-- keys: none
-- reaches:
--   state      quorate.lock_state
--   order      quorate.lock_order
--   waiters    quorate.lock_waiters
--   holds      quorate.lock_holds
--   waits      quorate.lock_waits
--   record_of  quorate.agent
-- args:
--   reach  integer  1 to go on to those who are in the way
-- rest: agents
-- returns: { { agent that was looked at… }, { agent, epoch, lock, mode, request, deadline, priority, since, { holder, fence, end }… }… }
-- writes: 3
-- use: now, digits, load, iso, waiter, compatible, living, blockers, asking
-- layout: plain-only, tagged counterpart walk_tagged

local _, ms = now()
local looked, answer, known, budget = {}, { {} }, {}, 64
local function present(agent, epoch)
  local who = agent .. ' ' .. epoch
  if known[who] == nil then
    known[who] = living(agent, epoch, ms)
  end
  return known[who]
end
local function waits_of(agent)
  local asked = redis.call('HGETALL', waits(agent))
  for place = 1, math.min(#asked, 64), 2 do
    local request, ref = asked[place], asked[place + 1]
    local waiter = read_waiter(redis.call('HGET', waiters(ref), request))
    if waiter and asking(waiter, ms) and present(agent, waiter.e) then
      local last = waiter.y > 0 and math.min(waiter.d, waiter.y + 5000) or waiter.d
      local edge = { agent, waiter.e, ref, waiter.m, request, digits(last), digits(waiter.o), digits(waiter.t) }
      local lock = load(ref, ms)
      for _, hold in ipairs(blockers(ref, lock, request, waiter, ms)) do
        -- Who waits for nothing is in no ring; of those who are only told of, so many say enough.
        local counts = reach == 1 and redis.call('EXISTS', waits(hold.a)) == 1 or reach == 0 and #edge < 208
        if counts and present(hold.a, hold.e) then
          edge[#edge + 1] = { hold.a, digits(hold.f), digits(hold.u) }
          agents[#agents + 1] = reach == 1 and not looked[hold.a] and hold.a or nil
        end
      end
      answer[#answer + 1] = edge
      budget = budget - 1 - math.floor(#lock.h / 8)
    end
  end
end
local place = 1
while agents[place] and budget > 0 do
  if not looked[agents[place]] then
    looked[agents[place]], budget = true, budget - 1
    answer[1][#answer[1] + 1] = agents[place]
    waits_of(agents[place])
  end
  place = place + 1
end
return answer
