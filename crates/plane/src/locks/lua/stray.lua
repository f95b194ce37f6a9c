#!lua flags=allow-oom
-- purpose: Looks whether an index names a lock that is not there, and takes it out if asked to.
-- guarantee: What a foreign client holds stays, and so does a hold that has lapsed and still has to be told of.
-- keys:
--   index   ade.lock_registry   or locks_by_agent, locks_by_resource_type, wait_for
--   member  ade.task_lock       or resource_lock: what it names
-- reaches:
--   state   quorate.lock_state
--   holds   quorate.lock_holds
--   waits   quorate.lock_waits
-- args:
--   ref     text     the lock it names, or empty if it is none
--   agent   text     whose waits the index shows, or empty for an index of holds
--   owner   text     whose holds the index shows, or empty for those of everybody
--   commit  integer  1 to take it out
-- returns: { "stray" } | { "fine" }
-- writes: 6
-- use: now, digits, load
-- layout: plain-only, tagged counterpart stray_tagged

local _, ms = now()
local known = false
if agent ~= '' then
  for _, waited in ipairs(redis.call('HVALS', waits(agent))) do
    known = known or waited == ref
  end
elseif ref ~= '' then
  -- A key without a fence is a foreign client's, who keeps this index by itself.
  known = redis.call('EXISTS', member) == 1 and (owner == '' or redis.pcall('HEXISTS', member, 'fence_token') ~= 1)
  for _, hold in ipairs(load(ref, ms).h) do
    known = known or hold.k == member and (owner == '' or hold.a == owner)
  end
end
if known then
  return { 'fine' }
end
if commit == 1 then
  if redis.call('TYPE', index).ok == 'zset' then
    redis.call('ZREM', index, member)
  else
    redis.call('SREM', index, member)
  end
end
return { 'stray' }
