-- purpose: As `admit`, for calls that only ask whether an agent may go on, is to drain, and how many tasks it may hold.
-- gives: allow
-- writes: 0
local function allow(agent, epoch, ms)
  local refused, _, _, drain, _, most = admit(agents(agent), epoch, ms, 'epoch')
  return refused, drain, most
end
