#!lua flags=no-writes
-- purpose: Says of some inboxes how much waits in each, and how much of it is unread.
-- guarantee: Nothing is changed by looking. A key of another type counts as an empty inbox, so that it hides no other.
-- keys: none
-- reaches:
--   inbox    reverie.inbox
--   letters  quorate.letters
-- args: none
-- rest: agents
-- returns: { how many wait, how many are unread, for each agent }
-- writes: 0
-- layout: plain-only, tagged counterpart counts_tagged

local answer = {}
for _, agent in ipairs(agents) do
  local waiting, read = redis.pcall('LLEN', inbox(agent)), redis.pcall('ZCOUNT', letters(agent), 2, 2)
  waiting = type(waiting) == 'number' and waiting or 0
  answer[#answer + 1] = waiting
  answer[#answer + 1] = math.max(0, waiting - (type(read) == 'number' and read or 0))
end
return answer
