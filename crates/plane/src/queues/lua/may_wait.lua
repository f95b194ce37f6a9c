#!lua flags=no-writes
-- purpose: Says of several agents that wait for items whether each may go on as it is.
-- guarantee: Nothing is changed. Who is refused, is to drain, or has no lease any more is told to ask alone.
-- keys:
-- reaches:
--   agents  quorate.agent
-- args:
-- rest: askers
-- returns: "LETTERS", a letter for each: y, or - where it is to ask alone
-- writes: 0
-- use: now, admit
-- layout: plain-only, tagged counterpart may_wait_tagged

-- An asker is `EPOCH AGENT`.
local us, ms = now()
local letters = {}
for i = 1, #askers do
  local epoch, agent = askers[i]:match('^(%d*) (.+)$')
  local refused, _, _, drain, lease = admit(agents(agent), epoch, ms)
  letters[i] = (refused or drain or (tonumber(lease) or 0) <= ms) and '-' or 'y'
end
return table.concat(letters)
