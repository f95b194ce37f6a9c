#!lua
-- purpose: Takes several locks for different calls; those that are not simply free are left to their own calls.
-- guarantee: As acquire, for each by itself; one that is not taken has changed nothing.
-- keys:
-- keys-rest: places quorate.lock_state   one for each, and then the seed's for each: reverie.lock, project_lock, ade.task_lock, ade.resource_lock
-- reaches:
--   registry     ade.lock_registry
--   events       ade.events
--   holds        quorate.lock_holds
--   record_of    quorate.agent
--   rate_of      ade.lock_rate_limit
--   index_of     ade.locks_by_agent
--   by_type      ade.locks_by_resource_type
--   channel      ade.lock_channel
-- args:
-- rest: wishes
-- returns: a line for each: "granted FENCE UNTIL" | "-"
-- writes: 16
-- use: now, admit, quick, iso, mark
-- layout: plain-only, tagged counterpart take_tagged

-- A wish is `REQUEST LOCK AGENT EPOCH TTL PURPOSE`, with - for the current epoch.
local us, ms, clock = now()
local answers, callers = {}, {}
-- Most who ask at once are tasks of one agent, which is looked at and counted once. A key of another type shows here, before
-- anything is taken, and is then told to the agent's own calls.
local function caller(agent, epoch)
  local own = callers[agent .. ' ' .. epoch]
  if own then
    return own
  end
  local refused, current, lease, drain, _, most = admit(record_of(agent), epoch == '-' and '' or epoch, ms, 'lease_until')
  own = { agent = agent, current = current, most = most, taken = {}, counted = 0 }
  callers[agent .. ' ' .. epoch] = own
  if not refused and not drain and (tonumber(lease) or 0) > ms and type(redis.pcall('ZCARD', holds(agent))) == 'number' then
    local tries = redis.pcall('INCR', rate_of(agent))
    if tries == 1 then
      redis.call('PEXPIRE', rate_of(agent), 60000)
    end
    own.may = type(tries) == 'number'
    own.counted = own.may and 1 or 0
  end
  return own
end
-- A key that is no text, as ade's are not, is nothing here.
local found = redis.call('MGET', unpack(places))
for place, wish in ipairs(wishes) do
  local request, ref, agent, epoch, ttl, purpose = wish:match('^(%S+) (%S+) (%S+) (%S+) (%S+) (.*)$')
  local kept, seed, text, own = places[place], places[#wishes + place], found[place], caller(agent, epoch)
  answers[place] = '-'
  if own.may and not found[#wishes + place] and (not text or text:find('^[fh] ')) then
    local fence, lapse = quick(us, ms, clock, own.current, request, ref, agent, ttl, purpose, seed, kept, text, own.most)
    if fence then
      answers[place] = 'granted ' .. fence .. ' ' .. lapse
      own.taken[#own.taken + 1] = lapse
      own.taken[#own.taken + 1] = ref .. ' x'
      if ref:find('^task:') or ref:find('^resource:') then
        mark(ref, agent, seed, ttl, purpose, us, fence, lapse, own.current)
      end
    end
  end
end
for _, own in pairs(callers) do
  if #own.taken > 0 then
    list_holds(holds(own.agent), us, clock, own.taken)
  end
  -- What was not taken is counted by its own call.
  local rest = #own.taken / 2 - own.counted
  if rest ~= 0 then
    redis.call('INCRBY', rate_of(own.agent), rest)
  end
end
return table.concat(answers, '\n')
