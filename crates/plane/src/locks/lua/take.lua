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
-- writes: 17
-- use: now, admit, hold, put_all, iso, mark
-- layout: plain-only, tagged counterpart take_tagged

-- A wish is `REQUEST LOCK AGENT EPOCH TTL PURPOSE`, with - for the current epoch.
local us, ms, clock = now()
local answers, callers, takers, ends, wanted, shown, twice = {}, {}, {}, {}, {}, {}, {}
-- Most who ask at once are tasks of one agent, which is looked at once. Lua takes as long as the server for all of this, so nothing
-- is made or taken apart that is not needed.
local function caller(who, agent, epoch)
  local refused, current, lease, drain, _, most = admit(record_of(agent), epoch == '-' and '' or epoch, ms, 'lease_until')
  local may = not refused and not drain and (tonumber(lease) or 0) > ms
  local own = { agent = agent, current = current, most = most, may = may, wants = 0, list = false, seeds = false, takes = false }
  callers[who] = own
  return own
end
-- A key that is no text, as ade's are not, is nothing here.
local found, count = redis.call('MGET', unpack(places)), #wishes
for place = 1, count do
  local request, ref, agent, epoch, ttl, purpose = wishes[place]:match('^(%S+) (%S+) (%S+) (%S+) (%S+) (.*)$')
  local who = epoch == '-' and agent or agent .. ' ' .. epoch
  local own, kind, seed = callers[who] or caller(who, agent, epoch), ref:sub(1, 5), places[count + place]
  local ade = kind == 'task:' or kind == 'resou'
  answers[place] = '-'
  if own.may and not found[count + place] and not twice[seed] and not (own.most and kind == 'task:') then
    local last, released = was_free(found[place], seed, ade, ms)
    if last then
      shown[#shown + 1] = places[count + place]
      twice[seed] = true
      ends[ttl] = ends[ttl] or string.format('%.0f', ms + ttl)
      wanted[#wanted + 1] = { place, seed, ref, own, ade, request, ttl, purpose, last, released }
    end
  end
end
-- Hardly ever is one of the keys there, in another type; then they are looked at one by one. What ade's readers see of all of them
-- must be of its type too.
local some, readable = shown[1] and redis.call('EXISTS', unpack(shown)) > 0, nil
local function is_free(place, ade)
  if ade and readable == nil then
    readable = type(redis.pcall('ZCARD', registry())) == 'number' and type(redis.pcall('XLEN', events('lock'))) == 'number'
  end
  return (readable or not ade) and not (some and redis.call('EXISTS', places[count + place]) == 1)
end
for at = 1, #wanted do
  local one = wanted[at]
  local own, wants, ade = one[4], one[4].wants, one[5]
  if is_free(one[1], ade) then
    own.wants = wants + 1
    if wants == 0 then
      takers[#takers + 1], own.list = own, { ends[one[7]], one[3] .. ' x' }
    else
      own.list[2 * wants + 1], own.list[2 * wants + 2] = ends[one[7]], one[3] .. ' x'
    end
    if ade then
      own.seeds = own.seeds or {}
      own.seeds[#own.seeds + 1] = one[2]
    end
  else
    one[4] = {}
  end
end
-- Counts and lists all that an agent takes. A key of another type shows here, before anything is taken, and is then told to the
-- agent's own calls, which count themselves.
local function enlist(own)
  local tries = redis.pcall('INCRBY', rate_of(own.agent), own.wants)
  if type(tries) ~= 'number' then
    return false
  elseif tries == own.wants then
    redis.call('PEXPIRE', rate_of(own.agent), 60000)
  end
  local listed = list_holds(holds(own.agent), us, clock, own.list)
  if listed and (not own.seeds or type(redis.pcall('SADD', index_of(own.agent), unpack(own.seeds))) == 'number') then
    return true
  end
  for at = 2, listed and #own.list or 0, 2 do
    redis.call('ZREM', holds(own.agent), own.list[at])
  end
  redis.call('DECRBY', rate_of(own.agent), own.wants)
  return false
end
for at = 1, #takers do
  takers[at].takes = enlist(takers[at])
end
local since, records, owners, registered, kept = readable and iso(us), {}, {}, {}, 0
for at = 1, #wanted do
  local place, seed, ref, own, ade, request, ttl, purpose, last, released = unpack(wanted[at])
  if own.takes then
    local lapse = ends[ttl]
    local fence, text = hold_text(us, clock, last, released, seed, lapse, own.agent, own.current, request, ttl, purpose)
    records[kept + 1], records[kept + 2], kept = places[place], text, kept + 2
    answers[place] = 'granted ' .. fence .. ' ' .. lapse
    if ade then
      ends[lapse] = ends[lapse] or iso(lapse * 1000)
      mark(ref, own.agent, seed, ttl, purpose, since, ends[lapse], fence, own.current)
      registered[#registered + 1], registered[#registered + 2] = lapse:sub(1, -4) .. '.' .. lapse:sub(-3), seed
    else
      local same = owners[ttl] or {}
      local held = #same
      same[held + 1], same[held + 2], owners[ttl] = seed, own.agent, same
    end
  end
end
for ttl, same in pairs(owners) do
  put_all(same, ttl)
end
put_all(records, '604800000')
if registered[1] then
  redis.call('ZADD', registry(), unpack(registered))
end
return table.concat(answers, '\n')
