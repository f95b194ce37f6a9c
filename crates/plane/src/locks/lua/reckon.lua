#!lua flags=allow-oom
-- purpose: Compares what is shown of a lock and its queue with what decides, and writes it again if asked to.
-- guarantee: It is one moment of the lock; only mirrors and indexes are written, never a hold or a place in the queue.
-- keys: none
-- reaches:
--   registry   ade.lock_registry
--   state      quorate.lock_state
--   order      quorate.lock_order
--   waiters    quorate.lock_waiters
--   holds      quorate.lock_holds
--   waits      quorate.lock_waits
--   index_of   ade.locks_by_agent
--   by_type    ade.locks_by_resource_type
--   mirror     ade.lock_queue
--   waitfor    ade.wait_for
--   due        quorate.lock_due
-- args:
--   ref     text     the lock
--   start   integer  the first place of the queue to look at
--   most    integer  how many places
--   commit  integer  1 to write what is missing
-- returns: { "reckoned", how many wait, fault… }
-- writes: 25
-- use: now, digits, iso, load, waiter, show
-- layout: plain-only, tagged counterpart reckon_tagged

local _, ms = now()
local lock = load(ref, ms)
local length = redis.call('ZCARD', order(ref))
local answer = { 'reckoned', length }
local function wrong(what)
  answer[#answer + 1] = what
  return commit == 1
end
local task = ref:match('^task:(.+)$')
local kind = ref:match('^resource:([^:]+):')
-- A place is a record and a rank; whoever lost its rank gets the one that it came for. What was decided has no rank any more.
local cursor = start == 0 and redis.call('HLEN', waiters(ref)) > length and '0'
while cursor do
  local page = redis.call('HSCAN', waiters(ref), cursor, 'COUNT', 500)
  cursor = page[1] ~= '0' and page[1]
  for place = 1, #page[2], 2 do
    local request, waiter = page[2][place], read_waiter(page[2][place + 1])
    if not waiter.v and not redis.call('ZSCORE', order(ref), request) and wrong(waiter.a .. ' waits for it, and is not in line') then
      redis.call('ZADD', order(ref), string.format('%.6f', waiter.t / 1000 - waiter.o * 1000), request) -- drains: one entry for a request that waits
      length = length + 1
      answer[2] = length
    end
  end
end
if start == 0 and lock.w ~= length and wrong('it says that ' .. lock.w .. ' wait, and ' .. length .. ' do') then
  lock.w = length
  save(ref, lock)
end
for _, hold in ipairs(start == 0 and lock.h or {}) do
  local listed = redis.call('ZSCORE', holds(hold.a), ref .. ' ' .. hold.m)
  local ade = not (task or kind) or ((tonumber(redis.call('ZSCORE', registry(), hold.k)) or 0) * 1000 > hold.u - 1000 and redis.call('SISMEMBER', index_of(hold.a), hold.k) == 1
    and (not kind or redis.call('SISMEMBER', by_type(kind), hold.k) == 1))
  if hold.u > ms and not (listed and ade) and wrong(hold.a .. ' holds it, and an index does not know it') then
    show_hold(ref, lock, hold, ms) -- drains: it replaces values
  end
end
if kind and start == 0 and lock.h[2] and not redis.call('ZSCORE', due(), ref) and wrong('several read it, and nobody would look when one lapses') then
  redis.call('ZADD', due(), ms, ref) -- drains: one entry for a lock that is held
end
local first = start == 0 and lock.h[1]
local other = first and first.u > ms and (task or kind) and shown_otherwise(lock, first, task)
if other and wrong('its key shows another ' .. other) then
  lock.anew = true
  show_hold(ref, lock, first, ms) -- drains: it replaces values
  lock.anew = nil
end
local told = task and first and first.u > ms and shown_line(first)
if told and told ~= digits(lock.w) and wrong('it shows that ' .. told .. ' wait, and ' .. lock.w .. ' do') then
  show_hold(ref, lock, first, ms) -- drains: it replaces values
end
-- What others put there is theirs.
for _, member in ipairs(task and redis.call('ZRANGE', mirror(task), start, start + most - 1) or {}) do
  local request = member:match('"request":"([%w-]+)"}$')
  if request and redis.call('HEXISTS', waiters(ref), request) == 0 and wrong('the queue shows ' .. request .. ', which does not wait') then
    redis.call('ZREM', mirror(task), member)
  end
end
for _, request in ipairs(redis.call('ZRANGE', order(ref), start, start + most - 1)) do
  local waiter = read_waiter(redis.call('HGET', waiters(ref), request))
  if not waiter or waiter.v then
    if wrong('request ' .. request .. ' is in line, and nothing else is known of it') then
      redis.call('ZREM', order(ref), request)
      lock.w = math.max(0, lock.w - 1)
      save(ref, lock)
    end
  else
    if redis.call('HGET', waits(waiter.a), request) ~= ref and wrong(waiter.a .. ' waits for it, and its list does not say so') then
      redis.call('HSET', waits(waiter.a), request, ref) -- drains: one field for a request that waits
    end
    if waiter.x == '-' and not (task or kind) and not redis.call('ZSCORE', due(), ref)
      and wrong(waiter.a .. ' left a place in its line, and nobody would serve it') then
      redis.call('ZADD', due(), ms, ref) -- drains: one entry for a lock that is waited for
    end
    if (task or kind) and redis.call('SISMEMBER', waitfor(waiter.a), waiter.k) == 0
      and wrong(waiter.a .. ' waits for it, and the wait-for graph does not show it') then
      redis.call('SADD', waitfor(waiter.a), waiter.k) -- drains: as before
      redis.call('PEXPIRE', waitfor(waiter.a), math.max(1, waiter.d - ms + 300000))
    end
    local shown_at = task and tonumber(redis.call('ZSCORE', mirror(task), queue_member(request, waiter)))
    if task and not (shown_at and math.abs(shown_at - waiter.t / 1000) < 1000)
      and wrong(waiter.a .. ' waits for it, and the queue does not show it') then
      redis.call('ZADD', mirror(task), string.format('%.3f', waiter.t / 1000), queue_member(request, waiter)) -- drains: as before
    end
  end
end
return answer
