#!lua flags=allow-oom
-- purpose: Extends a hold.
-- guarantee: Only the holder with its fence can; a hold that has lapsed or passed on is not brought back.
-- keys:
--   record    quorate.agent
-- reaches:
--   registry     ade.lock_registry
--   state      quorate.lock_state
--   holds      quorate.lock_holds
--   index_of   ade.locks_by_agent
--   by_type    ade.locks_by_resource_type
-- args:
--   ref     text     the lock
--   agent   text     its holder
--   epoch   text     the holder's epoch, or empty for the current one
--   fence   text     the fence of the hold
--   ttl_ms  integer  how long it lasts from now, 0 for as long as it was taken for
-- returns: "renewed FENCE UNTIL REQUEST" | { "refused", reason, detail }
-- writes: 23
-- use: now, digits, iso, admit, load, show, crowd
-- layout: plain-only, tagged counterpart renew_tagged

local _, ms = now()
local refused, _, lease = admit(record, epoch, ms, 'lease_until')
if refused then
  return refused
end
local text = redis.call('GET', state(ref))
local own = text and text:sub(1, 2) == 'r ' and (tonumber(lease) or 0) > ms
  and reader_stays(text, ref, text:match('^r %d+ %d+ %S+ %S+ (%S+)'), agent, fence, ttl_ms, ms)
if own then
  return 'renewed ' .. fence .. ' ' .. digits(own.u) .. ' ' .. own.r
end
local lock = load(ref, ms, text)
for _, hold in ipairs(lock.h) do
  if hold.a == agent and digits(hold.f) == fence then
    -- What an agent holds ends with its own lease, whether or not somebody has come for it yet.
    if hold.u <= ms or (tonumber(lease) or 0) <= ms then
      return { 'refused', 'expired', fence }
    end
    hold.l = ttl_ms > 0 and ttl_ms or hold.l
    hold.u, hold.n = ms + hold.l, hold.n + 1
    show_hold(ref, lock, hold, ms) -- drains: it replaces values
    save(ref, lock)
    return 'renewed ' .. digits(hold.f) .. ' ' .. digits(hold.u) .. ' ' .. hold.r
  end
end
if lock.x == fence .. ',' .. agent then
  return { 'refused', 'expired', fence }
end
return { 'refused', 'not_owner', lock.h[1] and lock.h[1].a or 'nobody' }
