#!lua
-- purpose: Takes a lock, or a place in its queue.
-- guarantee: A lock has one exclusive holder or several shared ones; a fence is above every earlier one; nobody overtakes.
-- keys:
--   record    quorate.agent
--   rate      ade.lock_rate_limit
--   seed      reverie.lock   or project_lock, ade.task_lock, ade.resource_lock
--   kept      quorate.lock_state
--   held      quorate.lock_holds
-- reaches:
--   registry     ade.lock_registry
--   events       ade.events
--   state        quorate.lock_state
--   order        quorate.lock_order
--   waiters      quorate.lock_waiters
--   holds        quorate.lock_holds
--   waits        quorate.lock_waits
--   record_of    quorate.agent
--   capacity_of  ade.agent_capacity
--   index_of     ade.locks_by_agent
--   by_type      ade.locks_by_resource_type
--   mirror       ade.lock_queue
--   waitfor      ade.wait_for
--   channel      ade.lock_channel
--   wakes        quorate.wake
--   leases       quorate.agent_leases
--   session_of   reverie.session
-- args:
--   request   request  the id of the call
--   ref       text     the lock
--   agent     text     who wants it
--   epoch     text     its epoch, or empty for the current one
--   mode      text     x, s, or a:AREA
--   ttl       text     how long the hold lasts without renewal, in ms
--   limit     text     most attempts in a minute, 0 for any number
--   purpose   text     shown to people
--   more      text     what only the long way needs, one word each: the lock delay and the wait in ms, the priority, whom to wake or -, 1 to look for rings
-- returns: "granted FENCE UNTIL" | "queued POSITION [long]" | { "deadlock", edge… } | { "refused", reason, detail, until }
-- writes: 69
-- use: now, admit, hold, quick, stay
-- later: iso, mark | line_up | guard_type, digits, show, tell, load, waiter, compatible, living, foreign, tasks, forget, seize, asking, hears, settle, enqueue, blockers, give_way, cycle, granted, crowd, readers, contend
-- layout: plain-only, tagged counterpart acquire_tagged

local us, ms, clock = now()
local refused, current, lease, drain, _, most = admit(record, epoch, ms, 'lease_until')
if refused then
  return refused
end
if drain then
  return { 'refused', 'draining', drain }
end
if (tonumber(lease) or 0) <= ms then
  stay(record, agent, current, ms)
end
local tries = redis.pcall('INCR', rate)
if type(tries) ~= 'number' then
  return { 'refused', 'wrong_type', rate }
end
if tries == 1 then
  redis.call('PEXPIRE', rate, 60000)
end
if limit ~= '0' and tries > tonumber(limit) then
  local left = redis.call('PTTL', rate)
  -- Another client may have counted here and set no end, which would be a limit for ever.
  if left < 0 then
    left = 60000
    redis.call('PEXPIRE', rate, '60000')
  end
  return { 'refused', 'rate_limited', string.format('%.0f', left) }
end
local ade, text, fence, lapse = ref:find('^task:') or ref:find('^resource:'), nil, nil, nil
if mode == 'x' and more:sub(1, 2) == '0 ' then
  text = redis.call('GET', kept)
  fence, lapse = quick(us, ms, clock, current, request, ref, agent, ttl, purpose, seed, kept, text, most)
  if fence then
    list_holds(held, us, clock, { lapse, ref .. ' x' })
  end
end
if fence and not ade then
  return 'granted ' .. fence .. ' ' .. lapse
end
-- later

if fence then
  mark(ref, agent, seed, ttl, purpose, iso(us), iso(lapse * 1000), fence, current)
  redis.call('SADD', index_of(agent), seed)
  return 'granted ' .. fence .. ' ' .. lapse
end
-- later

if text and not ade then
  local answer = line_up(us, ms, clock, current, text)
  if answer then
    return answer
  end
end
-- later

local refusal = guard_type(held, 'zset') or ade and (guard_type(seed, 'hash') or guard_type(registry(), 'zset')
  or guard_type(events('lock'), 'stream') or guard_type(index_of(agent), 'set'))
if refusal then
  return refusal
end
if mode == 's' then
  text = redis.call('GET', kept)
  local hold = reader_joins(text, ref, { a = agent, e = current, m = 's', u = ms + ttl, t = us, r = request, l = tonumber(ttl),
    p = purpose, k = seed, n = 0, y = tonumber(more:match('^%d+')) }, us, ms)
  if hold then
    return granted(hold)
  end
end
return contend(us, ms, current, ade, text, tonumber(ttl))
