#!lua
-- purpose: Runs one write of the caller's only if the fence it names is the lock's current one.
-- guarantee: A holder whose hold lapsed or passed on changes nothing: the check and the write are one step.
-- keys:
--   target  foreign.key   the caller's own
-- reaches:
--   state      quorate.lock_state
--   holds      quorate.lock_holds
--   record_of  quorate.agent
-- args:
--   ref      text  the lock
--   fence    text  the fence the caller holds
--   command  text  SET, HSET, XADD and the like
-- rest: words
-- returns: { "written" or "unchanged", reply, unless it is nil } | { "invalid", why } | { "refused", "stale_fence", the current fence }
-- writes: 4
-- use: now, digits, load, living, current
-- layout: plain-only, tagged counterpart guard_tagged

local _, ms = now()
local lock = load(ref, ms)
if not is_current(lock, fence, ms) then
  return { 'refused', 'stale_fence', digits(lock.f) }
end
local function says(option)
  for place = 2, #words do
    if words[place]:upper() == option then
      return true
    end
  end
end
-- A ZADD answers how many members are new, which says nothing of those that were there.
local function scores()
  local found = {}
  for place = command == 'ZADD' and #words or 0, 2, -2 do
    local score = redis.pcall('ZSCORE', target, words[place])
    found[#found + 1] = type(score) == 'string' and score or '-'
  end
  return table.concat(found, ' ')
end
local nothing = { DEL = 0, EXPIRE = 0, HDEL = 0, HSETNX = 0, PEXPIRE = 0, SADD = 0, SREM = 0, ZREM = 0, SET = false, XADD = false }
local before = scores()
local reply = redis.pcall(command, target, unpack(words)) -- allow-listed by the caller
if type(reply) == 'table' and reply.err then
  return { 'invalid', reply.err }
end
local changed = reply ~= nothing[command]
if command == 'ZADD' then
  changed = scores() ~= before
elseif command == 'SET' and says('GET') then
  -- The old value comes back, whether or not there is a new one.
  changed = says('NX') and not reply or not says('NX') and redis.call('GET', target) == words[1]
end
local text = type(reply) == 'table' and (reply.ok or '') or type(reply) == 'number' and digits(reply) or reply or nil
return { changed and 'written' or 'unchanged', text }
