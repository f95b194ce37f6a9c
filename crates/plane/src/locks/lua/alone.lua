-- purpose: In which mode an agent alone holds a lock that nobody waits for, as its record says; nothing if it is otherwise.
-- gives: alone
-- writes: 0
local function alone(text, seed, agent, fence)
  if not text then
    return nil
  end
  local last, key, holder, mode = text:match('^h (%d+) (%S+) %d+ (%S+) (%S+)')
  return last == fence and key == seed and holder == agent and mode
end
