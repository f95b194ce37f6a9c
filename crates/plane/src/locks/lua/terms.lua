#!lua flags=no-writes
-- purpose: Says of some holds since when and until when they run.
-- guarantee: Only what its lock knows as held, by an incarnation that is there, is said to be; nothing is changed by looking.
-- keys: none
-- reaches:
--   state      quorate.lock_state
--   holds      quorate.lock_holds
--   record_of  quorate.agent
-- args: none
-- rest: pairs_of
-- returns: { "SINCE UNTIL" or "" where it is not held, for each pair of an agent and its hold }
-- writes: 3
-- use: now, digits, load, living
-- layout: plain-only, tagged counterpart terms_tagged

local _, ms = now()
local locks, answer = {}, {}
for place = 1, #pairs_of, 2 do
  local agent, ref, mode = pairs_of[place], pairs_of[place + 1]:match('^(%S+) (%S+)$')
  locks[ref or ''] = locks[ref or ''] or (ref and load(ref, ms)) or { h = {} }
  local term = ''
  for _, hold in ipairs(locks[ref or ''].h) do
    if hold.a == agent and hold.m == mode and hold.u > ms and living(agent, hold.e, ms) then
      term = digits(hold.t) .. ' ' .. digits(hold.u)
    end
  end
  answer[#answer + 1] = term
end
return answer
