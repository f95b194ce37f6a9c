#!lua
-- purpose: Takes a lock, or a place in its queue.
-- guarantee: A lock has one exclusive holder or several shared ones; a fence is above every earlier one; nobody overtakes.
-- keys:
--   record    quorate.agent
--   rate      ade.lock_rate_limit
--   seed      reverie.lock   or project_lock, ade.task_lock, ade.resource_lock
--   kept      quorate.lock_state
--   held      quorate.lock_holds
--   registry  ade.lock_registry
--   events    ade.events
-- reaches:
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
--   ttl_ms    integer  how long the hold lasts without renewal
--   limit     integer  most attempts in a minute, 0 for any number
--   delay_ms  integer  how long nobody may have it if the hold ends without a release
--   purpose   text     shown to people
--   wait_ms   integer  how long to wait for it; 0 for not at all
--   priority  integer  a point is worth a second in the queue
--   process   text     whom to wake, or -
--   detect    integer  1 to look for rings of waiting agents
-- returns: { "granted", fence, until, request, mode } | { "queued", request, position } | { "deadlock", edge… } | { "refused", reason, detail, until }
-- writes: 49
-- use: now, admit
-- later: guard_type, digits, iso, show, tell | load, waiter, compatible, living, foreign, tasks, forget, seize, settle, enqueue, cycle, granted, contend
-- layout: plain-only, tagged counterpart acquire_tagged

local us, ms = now()
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
if limit > 0 and tries > limit then
  return { 'refused', 'rate_limited', string.format('%.0f', math.max(0, redis.call('PTTL', rate))) }
end
-- The short way: a lock that nobody holds and nobody waits for. What was released is still in the record, and the seed's
-- key no longer shows it; a hold that lapsed has still to be told of, which is the long way's work.
local kind = ref:sub(1, 5)
local ade, last, released = kind == 'task:' or kind == 'resou', nil, nil
if mode == 'x' and delay_ms == 0 then
  local text, form, key, lapse = redis.call('GET', kept), 'f', nil, nil
  last, released = '0', '-'
  if text then
    form, last, key, lapse, released = text:match('^([fh]) (%d+) (%S+) (%d+) (%S+)')
  end
  if form == 'h' and key == seed and tonumber(lapse) > ms then
    released = last .. ',' .. released
  elseif form ~= 'f' then
    last = nil
  end
end
local function grant(lapse)
  local time = string.format('%.0f', us)
  local fence = tonumber(last) < us and time or string.format('%.0f', last + 1)
  -- Numbers of up to 14 digits keep them all when Lua joins them to text.
  redis.call('SET', kept, 'h ' .. fence .. ' ' .. seed .. ' ' .. lapse .. ' ' .. agent .. ' x ' .. current .. ' ' .. time .. ' '
    .. request .. ' ' .. ttl_ms .. ' 0 0 0 ' .. released .. ' ' .. purpose, 'PX', 604800000)
  redis.call('ZADD', held, lapse, ref .. ' x')
  return { 'granted', fence, string.format('%.0f', lapse), request, mode }
end
if last and not ade and redis.call('SET', seed, agent, 'NX', 'PX', ttl_ms) then
  return grant(ms + ttl_ms)
end
-- later

if ade then
  local refusal = (redis.call('EXISTS', seed) == 1 and guard_type(seed, 'hash')) or guard_type(registry, 'zset')
    or guard_type(events, 'stream') or guard_type(index_of(agent), 'set')
  if refusal then
    return refusal
  end
  if last and not (most and kind == 'task:') and redis.call('EXISTS', seed) == 0 then
    local answer = grant(ms + ttl_ms)
    local hold = { a = agent, e = current, m = mode, f = tonumber(answer[2]), u = ms + ttl_ms, t = us, p = purpose, k = seed, n = 0 }
    show_ade(ref, { h = { hold }, w = 0, f = hold.f }, hold, ms)
    tell(ref, 'acquired', agent, hold.f, us)
    return answer
  end
end
-- later

return contend(us, ms, current, ade)
