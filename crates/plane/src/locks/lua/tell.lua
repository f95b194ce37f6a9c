-- purpose: Tells the world what became of a lock: the seed's channel, ade's event stream, and the process that waits.
-- gives: tell, wake
-- writes: 1
-- Streams never refuse; named, project and file locks have no channel in the seeds and stay silent unless contended.
local function tell(ref, event, agent, fence, us)
  local task = ref:match('^task:(.+)$')
  if task then
    redis.call('PUBLISH', channel(task), agent ~= '' and event .. ':' .. agent or event)
  end
  if task or ref:sub(1, 9) == 'resource:' or event == 'promoted' or event == 'expired' or event == 'deadlock' then
    redis.call('XADD', events('lock'), '*', 'event', 'lock:' .. event, 'timestamp', iso(us), -- drains: history, trimmed by age
      'payload', '{"lock":"' .. ref .. '","agent_id":"' .. agent .. '","fence":"' .. digits(fence) .. '"}',
      'source', 'quorate')
  end
end
local function wake(process, request, hold)
  if process ~= '-' then
    redis.call('PUBLISH', wakes(process), hold and request .. ' ' .. digits(hold.f) .. ' ' .. digits(hold.u) or request)
  end
end
