#!lua flags=allow-oom
-- purpose: Gives several locks back for different calls; those that somebody waits for are left to their own calls.
-- guarantee: As release, for each by itself; one that is not given back has changed nothing.
-- keys:
-- keys-rest: places quorate.lock_state   one for each, and then the seed's for each: reverie.lock, project_lock, ade.task_lock, ade.resource_lock
-- reaches:
--   registry     ade.lock_registry
--   events       ade.events
--   holds        quorate.lock_holds
--   capacity_of  ade.agent_capacity
--   index_of     ade.locks_by_agent
--   by_type      ade.locks_by_resource_type
--   channel      ade.lock_channel
-- args:
-- rest: wishes
-- returns: a line for each: "released" | "-"
-- writes: 8
-- use: now, iso, alone, plain, unmark
-- layout: plain-only, tagged counterpart give_tagged

-- A wish is `LOCK AGENT FENCE`.
local us = now()
local answers, gone = {}, {}
-- A key that is no text, as ade's are not, is nothing here.
local found = redis.call('MGET', unpack(places))
for place, wish in ipairs(wishes) do
  local ref, agent, fence = wish:match('^(%S+) (%S+) (%S+)$')
  local seed, answer = places[#wishes + place], '-'
  local mode = alone(found[place], seed, agent, fence)
  if mode and not (ref:find('^task:') or ref:find('^resource:')) then
    answer = 'released'
    -- A foreign client may have taken the key after ours had expired.
    if found[#wishes + place] == agent then
      gone[#gone + 1] = places[#wishes + place]
    end
  elseif mode == 'x' and plain(ref, agent, fence, seed) then
    unmark(ref, agent, fence, seed, us)
    answer = 'released'
  end
  answers[place] = answer
end
if #gone > 0 then
  redis.call('DEL', unpack(gone))
end
return table.concat(answers, '\n')
