-- purpose: Ends the leases of what an agent has claimed: the items are the next to be claimed.
-- gives: hand_back
-- reaches: claimed_by quorate.queue_held, agenda quorate.queue_agenda, wake quorate.queue_wake
-- writes: 2
-- Gives how many. What an agent has claimed is an index: one that was spoiled is in nobody's way.
local function hand_back(agent, ms, most)
  local done = redis.pcall('ZRANGE', claimed_by(agent), 0, most - 1)
  for _, member in ipairs(done) do
    local queue, mark = member:match('^(%S+) (%S+)$')
    if queue then
      -- It waits from now on: an earlier moment would show as its age.
      redis.pcall('ZADD', agenda(queue), 'XX', string.format('%.0f', ms), mark) -- drains: it replaces a score
      redis.call('PUBLISH', wake(queue), mark)
    end
    redis.call('ZREM', claimed_by(agent), member)
  end
  return #done
end
