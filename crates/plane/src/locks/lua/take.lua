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
local answers = {}
-- A key that is no text, as ade's are not, is nothing here.
local found = redis.call('MGET', unpack(places))
for place, wish in ipairs(wishes) do
  local request, ref, agent, epoch, ttl, purpose = wish:match('^(%S+) (%S+) (%S+) (%S+) (%S+) (.*)$')
  local kept, seed, text, answer = places[place], places[#wishes + place], found[place], '-'
  if not found[#wishes + place] and (not text or text:find('^[fh] ')) then
    local refused, current, _, drain, _, most = admit(record_of(agent), epoch == '-' and '' or epoch, ms)
    if not refused and not drain then
      local tries = redis.call('INCR', rate_of(agent))
      if tries == 1 then
        redis.call('PEXPIRE', rate_of(agent), 60000)
      end
      local fence, lapse = quick(us, ms, clock, current, request, ref, agent, ttl, purpose, seed, kept, holds(agent), text, most)
      if not fence then
        redis.call('DECR', rate_of(agent)) -- its own call counts it
      else
        answer = 'granted ' .. fence .. ' ' .. lapse
        if ref:find('^task:') or ref:find('^resource:') then
          mark(ref, agent, seed, ttl, purpose, us, fence, lapse, current)
        end
      end
    end
  end
  answers[place] = answer
end
return table.concat(answers, '\n')
