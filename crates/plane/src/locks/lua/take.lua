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
-- use: now, admit, hold, iso, mark
-- layout: plain-only, tagged counterpart take_tagged

-- A wish is `REQUEST LOCK AGENT EPOCH TTL PURPOSE`, with - for the current epoch.
local us, ms, clock = now()
local answers, callers, ends, marks, shown = {}, {}, {}, {}, {}
-- Most who ask at once are tasks of one agent, which is looked at and counted once. A key of another type shows here, before
-- anything is taken, and is then told to the agent's own calls.
local function caller(who)
  local agent, epoch = who:match('^(%S+) (%S+)$')
  local refused, current, lease, drain, _, most = admit(record_of(agent), epoch == '-' and '' or epoch, ms, 'lease_until')
  local own = { agent = agent, current = current, most = most, list = {}, seeds = {}, counted = 0 }
  callers[who] = own
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
local function keep(own, place, ref, lapse, last, released, request, ttl, purpose)
  local fence = keep_hold(places[place], us, clock, last, released, places[#wishes + place], lapse, own.agent, own.current, request,
    ttl, purpose)
  own.list[#own.list + 1] = lapse
  own.list[#own.list + 1] = ref .. ' x'
  answers[place] = 'granted ' .. fence .. ' ' .. lapse
  return fence
end
-- A key that is no text, as ade's are not, is nothing here.
local found = redis.call('MGET', unpack(places))
for place, wish in ipairs(wishes) do
  local request, ref, who, ttl, purpose = wish:match('^(%S+) (%S+) (%S+ %S+) (%S+) (.*)$')
  local own, kind = callers[who] or caller(who), ref:sub(1, 5)
  local ade = kind == 'task:' or kind == 'resou'
  answers[place] = '-'
  if own.may and not found[#wishes + place] then
    local last, released = was_free(found[place], places[#wishes + place], ade, ms)
    ends[ttl] = ends[ttl] or string.format('%.0f', ms + ttl)
    if last and not ade then
      if redis.call('SET', places[#wishes + place], own.agent, 'NX', 'PX', ttl) then
        keep(own, place, ref, ends[ttl], last, released, request, ttl, purpose)
      end
    elseif last and not (own.most and kind == 'task:') and not shown[places[#wishes + place]] then
      shown[#shown + 1] = places[#wishes + place]
      shown[places[#wishes + place]] = true
      marks[#marks + 1] = { place, request, ref, own, ttl, purpose, last, released }
    end
  end
end
-- What ade's readers see is looked at and listed once for all of it; hardly ever is one of the keys there.
local function free_marks()
  if type(redis.pcall('ZCARD', registry())) ~= 'number' or type(redis.pcall('XLEN', events('lock'))) ~= 'number' then
    return {}
  end
  local free, some = {}, redis.call('EXISTS', unpack(shown)) > 0
  for _, one in ipairs(marks) do
    if not some or redis.call('EXISTS', places[#wishes + one[1]]) == 0 then
      free[#free + 1] = one
      one[4].seeds[#one[4].seeds + 1] = places[#wishes + one[1]]
    end
  end
  return free
end
if shown[1] then
  local free, since, registered = free_marks(), iso(us), {}
  for _, own in pairs(callers) do
    own.indexed = own.seeds[1] and type(redis.pcall('SADD', index_of(own.agent), unpack(own.seeds))) == 'number'
  end
  for _, one in ipairs(free) do
    local place, request, ref, own, ttl, purpose, last, released = unpack(one)
    if own.indexed then
      local lapse = ends[ttl]
      local fence = keep(own, place, ref, lapse, last, released, request, ttl, purpose)
      ends[lapse] = ends[lapse] or iso(lapse * 1000)
      mark(ref, own.agent, places[#wishes + place], ttl, purpose, since, ends[lapse], fence, own.current)
      registered[#registered + 1] = lapse:sub(1, -4) .. '.' .. lapse:sub(-3)
      registered[#registered + 1] = places[#wishes + place]
    end
  end
  if registered[1] then
    redis.call('ZADD', registry(), unpack(registered))
  end
end
for _, own in pairs(callers) do
  if own.list[1] then
    list_holds(holds(own.agent), us, clock, own.list)
  end
  -- What was not taken is counted by its own call.
  local rest = #own.list / 2 - own.counted
  if rest ~= 0 then
    redis.call('INCRBY', rate_of(own.agent), rest)
  end
end
return table.concat(answers, '\n')
