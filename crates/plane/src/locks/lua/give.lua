#!lua flags=allow-oom
-- purpose: Gives several locks back for different calls; those that somebody waits for are left to their own calls.
-- guarantee: As release, for each by itself; one that is not given back has changed nothing.
-- keys:
-- keys-rest: places quorate.lock_state   one for each, and then the seed's for each: reverie.lock, project_lock, ade.task_lock, ade.resource_lock
-- reaches:
--   registry     ade.lock_registry
--   events       ade.events
--   holds        quorate.lock_holds
--   record_of    quorate.agent
--   leases       quorate.agent_leases
--   capacity_of  ade.agent_capacity
--   index_of     ade.locks_by_agent
--   by_type      ade.locks_by_resource_type
--   channel      ade.lock_channel
-- args:
-- rest: wishes
-- returns: a line for each: "released" | "-"
-- writes: 8
-- use: now, iso, alone, stopped, counted, unmark
-- layout: plain-only, tagged counterpart give_tagged

-- A wish is `LOCK AGENT FENCE`.
local us, ms = now()
local since, answers, gone, given, shown, agents = iso(us), {}, {}, {}, {}, {}
local counts = counted(wishes)
-- A revoked agent is past its lease until what it held has passed on; hardly ever is there anybody like that.
local some = redis.pcall('ZCOUNT', leases(), '-inf', string.format('%.0f', ms)) ~= 0
-- A key that is no text, as ade's are not, is nothing here.
local found, count = redis.call('MGET', unpack(places)), #wishes
for place = 1, count do
  local ref, agent, fence = wishes[place]:match('^(%S+) (%S+) (%S+)$')
  local seed, kind = places[count + place], ref:sub(1, 5)
  local mode = not (some and stopped(agent)) and alone(found[place], seed, agent, fence)
  answers[place] = '-'
  if mode and kind ~= 'task:' and kind ~= 'resou' then
    answers[place] = 'released'
    -- A foreign client may have taken the key after ours had expired.
    if found[count + place] == agent then
      gone[#gone + 1] = places[count + place]
    end
  elseif mode == 'x' and not shown[seed] and redis.pcall('HGET', places[count + place], 'fence_token') == fence
    and not (kind == 'task:' and counts[agent]) then
    answers[place] = 'released'
    shown[seed] = true
    shown[#shown + 1] = seed
    agents[agent] = agents[agent] or { list = {}, seeds = {} }
    local own = agents[agent]
    own.list[#own.list + 1], own.seeds[#own.seeds + 1] = ref .. ' x', seed
    given[#given + 1] = { ref, agent, fence, seed }
  end
end
for agent, own in pairs(agents) do
  unlist(agent, own.list, own.seeds)
end
if shown[1] then
  unshow(shown)
end
for _, one in ipairs(given) do
  tell_given(one[1], one[2], one[3], one[4], since)
end
if gone[1] then
  redis.call('DEL', unpack(gone))
end
return table.concat(answers, '\n')
