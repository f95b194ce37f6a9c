#!lua flags=allow-oom
-- purpose: Gives a worker more time for items it still works on.
-- guarantee: Only whoever holds them, within their lease; one that has lapsed is not brought back.
-- keys:
-- reaches:
--   agents  quorate.agent
--   agenda  quorate.queue_agenda
--   held    quorate.queue_held
--   state   quorate.queue_state
--   claims  quorate.queue_claims
--   runs    quorate.job_runs
--   job_lock ade.job_lock
-- args:
--   queue     text     the queue of all of them
--   agent     text     who has them
--   epoch     text     its epoch, or empty for the current one
--   lease_ms  integer  how long it has from now
-- rest: tokens
-- returns: { the places of refused tokens, as `2,5`, or `-`, until } | { "refused", reason, detail }
-- writes: 8
-- use: now, admit, facts, occurrence
-- layout: plain-only, tagged counterpart extend_tagged

local _, ms = now()
local refused = admit(agents(agent), epoch, ms)
if refused then
  return refused
end
local till, stale = string.format('%.0f', ms + lease_ms), {}
for place, token in ipairs(tokens) do
  local mark = token .. '.' .. agent
  local ends = redis.call('ZSCORE', agenda(queue), mark)
  if ends and tonumber(ends) > ms then
    redis.call('ZADD', agenda(queue), 'XX', till, mark) -- drains: it replaces a score
    redis.pcall('ZADD', held(agent), 'XX', till, queue .. ' ' .. mark) -- drains: it replaces a score
    prolong(queue, token)
  else
    stale[#stale + 1] = place
  end
end
if #stale > 0 then
  redis.call('HINCRBY', state(queue), 'stale', #stale) -- drains: a counter
end
return { #stale > 0 and table.concat(stale, ',') or '-', till }
