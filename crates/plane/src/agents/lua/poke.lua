#!lua flags=allow-oom
-- purpose: Notes that somebody knocked for an agent.
-- guarantee: It does not make the agent alive: neither its heartbeat, its lease nor its expiry moves.
-- keys:
--   session   reverie.session
-- args: none
-- returns: { "poked" } | { "refused", reason }
-- writes: 1
-- use: now, guard_type
-- layout: any

local refusal = guard_type(session, 'hash')
if refusal then
  return refusal
end
if redis.call('EXISTS', session) == 0 then
  return { 'refused', 'unregistered' }
end
local us = now()
redis.call('HSET', session, 'last_poked_at', string.format('%.6f', us / 1000000)) -- drains: it replaces a value
return { 'poked' }
