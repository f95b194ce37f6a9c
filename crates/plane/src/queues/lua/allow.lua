-- purpose: As `admit`, for calls that only ask whether an agent may go on, is to drain, and how many tasks it may hold.
-- gives: allow, overtaken, note_repeat
-- writes: 1
-- Gives too the claims of the agent that were sent again, which its record has: looking for them costs no call. Last, its
-- epoch if its lease has ended: what it were given then would be with nobody, unless it stays.
local function allow(agent, epoch, ms)
  local refused, current, repeats, drain, lease, most = admit(agents(agent), epoch, ms, 'repeats')
  return refused, drain, most, repeats, (tonumber(lease) or 0) <= ms and current
end
-- A first delivery may come after its own repeat, over another connection: whoever sent it has its answer.
local function overtaken(repeats, name)
  return repeats and repeats:find(' ' .. name .. ' ', 1, true)
end
local function note_repeat(agent, repeats, name)
  if not overtaken(repeats, name) then
    redis.call('HSET', agents(agent), 'repeats', (' ' .. name .. (repeats or ' ')):sub(1, 2048)) -- drains: it replaces a text
  end
end
