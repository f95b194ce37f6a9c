-- purpose: As `admit`, for calls that only ask whether an agent may go on, is to drain, and how many tasks it may hold.
-- gives: allow, overtaken, note_repeat
-- writes: 1
-- The last gives the claims of the agent that were sent again, which its record has: looking for them costs no call.
local function allow(agent, epoch, ms)
  local refused, _, repeats, drain, _, most = admit(agents(agent), epoch, ms, 'repeats')
  return refused, drain, most, repeats
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
