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
-- writes: 53
-- use: now, admit
-- later: iso, mark | line_up | guard_type, digits, show, tell, load, waiter, compatible, living, foreign, tasks, forget, seize, settle, enqueue, blockers, give_way, cycle, granted, contend
-- layout: plain-only, tagged counterpart acquire_tagged

local us, ms, clock = now()
local refused, current, _, drain, _, most = admit(record, epoch, ms)
if refused then
  return refused
end
if drain then
  return { 'refused', 'draining', drain }
end
local tries = redis.call('INCR', rate)
if tries == 1 then
  redis.call('PEXPIRE', rate, 60000)
end
if limit ~= '0' and tries > tonumber(limit) then
  return { 'refused', 'rate_limited', string.format('%.0f', math.max(0, redis.call('PTTL', rate))) }
end
-- The short way: a lock that nobody holds and nobody waits for. What was released is still in the record, and the seed's
-- key no longer shows it. A task or a resource that lapsed has still to be told of, which is the long way's work.
local kind, text = ref:sub(1, 5), nil
local ade, last, released = kind == 'task:' or kind == 'resou', nil, nil
if mode == 'x' and more:sub(1, 2) == '0 ' then
  local form, key, lapse = 'f', nil, nil
  text, last, released = redis.call('GET', kept), '0', '-'
  if text then
    form, last, key, lapse, released = text:match('^([fh]) (%d+) (%S+) (%d+) (%S+)')
  end
  if form == 'h' and key == seed and (not ade or tonumber(lapse) > ms) then
    released = last .. ',' .. released
  elseif form ~= 'f' then
    last = nil
  end
end
local taken = last and not ade and redis.call('SET', seed, agent, 'NX', 'PX', ttl)
local lapse = last and string.format('%.0f', ms + ttl)
if last and ade and not (most and kind == 'task:') and redis.pcall('HLEN', seed) == 0
  and type(redis.pcall('SCARD', index_of(agent))) == 'number' and type(redis.pcall('XLEN', events('lock'))) == 'number' then
  -- The first write fails by itself, with nothing done, if the registry is no sorted set; the long way then says so.
  taken = type(redis.pcall('ZADD', registry(), lapse:sub(1, -4) .. '.' .. lapse:sub(-3), seed)) == 'number'
end
local fence = clock
if taken then
  if tonumber(last) >= us then
    fence = string.format('%.0f', last + 1)
  end
  redis.call('SET', kept, 'h ' .. fence .. ' ' .. seed .. ' ' .. lapse .. ' ' .. agent .. ' x ' .. current .. ' ' .. clock .. ' '
    .. request .. ' ' .. ttl .. ' 0 0 0 ' .. released .. ' ' .. purpose, 'PX', '604800000')
  redis.call('ZADD', held, lapse, ref .. ' x')
  -- A release leaves the lock in the agent's list, where it counts for nothing; what has lapsed there is forgotten in turn.
  if tries % 64 == 0 then
    redis.call('ZREMRANGEBYSCORE', held, '-inf', clock:sub(1, -4))
  end
  if not ade then
    return 'granted ' .. fence .. ' ' .. lapse
  end
end
-- later

if taken then
  mark(us, fence, lapse, current)
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

local refusal = ade and (guard_type(seed, 'hash') or guard_type(registry(), 'zset')
  or guard_type(events('lock'), 'stream') or guard_type(index_of(agent), 'set'))
if refusal then
  return refusal
end
return contend(us, ms, current, ade, text, tonumber(ttl))
