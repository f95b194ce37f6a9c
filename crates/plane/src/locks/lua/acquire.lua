#!lua
-- purpose: Takes a lock, or a place in its queue.
-- guarantee: A lock has one exclusive holder or several shared ones; a fence is above every earlier one; nobody overtakes.
-- keys:
--   record    quorate.agent
--   rate      ade.lock_rate_limit
--   capacity  ade.agent_capacity
--   seed      reverie.lock   or project_lock, ade.task_lock, ade.resource_lock
--   kept      quorate.lock_state
--   held      quorate.lock_holds
--   registry  ade.lock_registry
--   events    ade.events
-- reaches:
--   state      quorate.lock_state
--   order      quorate.lock_order
--   waiters    quorate.lock_waiters
--   holds      quorate.lock_holds
--   waits      quorate.lock_waits
--   record_of  quorate.agent
--   index_of   ade.locks_by_agent
--   by_type    ade.locks_by_resource_type
--   mirror     ade.lock_queue
--   waitfor    ade.wait_for
--   channel    ade.lock_channel
--   wakes      quorate.wake
-- args:
--   request   request  the id of the call
--   ref       text     the lock
--   agent     text     who wants it
--   epoch     text     its epoch, or empty for the current one
--   mode      text     x, s, or a:AREA
--   ttl_ms    integer  how long the hold lasts without renewal
--   wait_ms   integer  how long to wait for it; 0 for not at all
--   priority  integer  a point is worth a second in the queue
--   purpose   text     shown to people
--   process   text     whom to wake, or empty
--   limit     integer  most attempts in a minute, 0 for any number
--   detect    integer  1 to look for rings of waiting agents
--   json      json     how the seed shows the waiter, or empty
-- returns: { "granted", fence, until, request, mode } | { "queued", request, position } | { "deadlock", edge… } | { "refused", reason, detail, until }
-- writes: 46
-- use: now, admit
-- later: guard_type, digits, iso, load, compatible, living, foreign, show, tell, forget, seize, settle, tasks_held, enqueue, cycle, granted
-- layout: plain-only, tagged counterpart acquire_tagged

local us, ms = now()
local refused, current, _, drain = admit(record, epoch, ms)
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
if limit > 0 and tries > limit then
  return { 'refused', 'rate_limited', string.format('%.0f', math.max(0, redis.call('PTTL', rate))) }
end
local short = ref:sub(1, 5)
if short ~= 'task:' and short ~= 'resou' and mode == 'x' then
  -- The short way: a named, project or file lock that nobody holds and nobody waits for.
  local text, taken = redis.call('GET', kept), redis.call('GET', seed)
  local fence = text and text:match('^f (%d+)') or '0'
  if not taken and (not text or text:sub(1, 2) == 'f ') then
    local new, lapse = string.format('%.0f', math.max(tonumber(fence) + 1, us)), string.format('%.0f', ms + ttl_ms)
    redis.call('SET', seed, agent, 'PX', ttl_ms)
    redis.call('SET', kept, string.format('h %s %s %s x %s %.0f %s %d 0 %s %s', new, agent, current, lapse, us, request,
      ttl_ms, seed, purpose), 'PX', 604800000)
    redis.call('ZADD', held, lapse, ref .. ' x')
    return { 'granted', new, lapse, request, mode }
  end
end
-- later

local lock, lapsed = load(ref), false
for _, hold in ipairs(lock.h) do
  if hold.r == request and hold.u > ms then
    return granted(hold)
  end
  lapsed = lapsed or hold.u <= ms
end
local task, ade = ref:sub(1, 5) == 'task:', ref:sub(1, 5) == 'task:' or ref:sub(1, 9) == 'resource:'
if ade then
  local refusal = guard_type(seed, 'hash') or guard_type(registry, 'zset') or guard_type(events, 'stream')
    or guard_type(index_of(agent), 'set') or guard_type(waitfor(agent), 'set') or guard_type(capacity, 'hash')
    or (task and guard_type(mirror(ref:sub(6)), 'zset'))
  if refusal then
    return refusal
  end
end
if lapsed then
  settle(ref, lock, us, ms)
end
local owner, lapses = foreign(ref, lock, seed, ms)
if owner and lock.z ~= owner then
  lock.z, lock.zt = owner, ms
end
local own
local function clash()
  own = nil
  for _, hold in ipairs(lock.h) do
    if hold.a == agent and hold.e == current and (hold.m == mode or mode == 'x' or hold.m == 'x') then
      own = hold
    elseif hold.a ~= agent and not compatible(hold.m, mode) then
      return hold.a, hold.u, hold.f
    end
  end
  return owner, lapses, 0
end
local blocker, till, fence = clash()
if blocker or lock.w > 0 then
  settle(ref, lock, us, ms, true)
  blocker, till, fence = clash()
end
if own and own.m == mode then
  own.u, own.r = ms + ttl_ms, request
  show_hold(ref, lock, own, ms)
  save(ref, lock)
  return granted(own)
end
local most = task and redis.call('HGET', record, 'max_tasks')
local count = most and tasks_held(agent, ms)
if most and count >= tonumber(most) then
  save(ref, lock)
  return { 'refused', 'capacity', most }
end
local wanted = { a = agent, e = current, m = mode, l = ttl_ms, p = purpose, k = seed }
if not blocker and (own or lock.w == 0) then
  local hold = seize(ref, lock, request, wanted, us, ms)
  if own and own.m == 'x' then
    settle(ref, lock, us, ms)
  end
  save(ref, lock)
  if most then
    redis.call('HSET', capacity, 'active_tasks', count + 1)
  end
  tell(ref, 'acquired', agent, hold.f, us)
  return granted(hold)
end
if wait_ms == 0 then
  save(ref, lock)
  return { 'refused', 'held', blocker or 'a waiting agent', digits(till or 0), digits(fence or 0) }
end
if redis.call('HEXISTS', waiters(ref), request) == 0 then
  wanted.d, wanted.o, wanted.t, wanted.x = ms + wait_ms, priority, us, process
  wanted.y, wanted.j = process ~= '' and ms or 0, json ~= '' and json or nil
  enqueue(ref, lock, request, wanted, own, ade, ms)
  tell(ref, 'queued', agent, lock.f, us)
  save(ref, lock)
  if detect == 1 then
    break_cycles(agent, us, ms)
  end
end
local kept = redis.call('HGET', waiters(ref), request)
local verdict = kept and cmsgpack.unpack(kept)
if verdict and verdict.v then
  redis.call('HDEL', waiters(ref), request)
  return { 'deadlock', unpack(verdict.c) }
end
return { 'queued', request, (redis.call('ZRANK', order(ref), request) or 0) + 1 }
