#!lua flags=no-writes
-- purpose: Says for some agents what each waits for and who is in its way: one step of a walk that is too long for a script.
-- guarantee: Each agent's edges are of one moment; the whole walk is not, so whoever acts on it looks again.
-- keys: none
-- reaches:
--   state    quorate.lock_state
--   order    quorate.lock_order
--   waiters  quorate.lock_waiters
--   holds    quorate.lock_holds
--   waits    quorate.lock_waits
-- args: none
-- rest: agents
-- returns: { { agent, lock, request, blocker… }… }
-- writes: 3
-- use: now, digits, load, iso, waiter, compatible, blockers, asking
-- layout: plain-only, tagged counterpart walk_tagged

local _, ms = now()
local answer = {}
for _, agent in ipairs(agents) do
  local asked = redis.call('HGETALL', waits(agent))
  for place = 1, math.min(#asked, 64), 2 do
    local request, ref = asked[place], asked[place + 1]
    local waiter = read_waiter(redis.call('HGET', waiters(ref), request))
    if waiter and asking(waiter, ms) then
      answer[#answer + 1] = { agent, ref, request, unpack(blockers(ref, load(ref, ms), request, waiter), 1, 200) }
    end
  end
end
return answer
