#!lua flags=allow-oom
-- purpose: Says whether the indexes tell of an agent what its records do, and puts them right if asked to.
-- guarantee: What is compared and what is written is of one moment.
-- keys:
--   session  reverie.session
--   index    reverie.session_index
--   record   quorate.agent
--   leases   quorate.agent_leases
-- args:
--   agent   text     who
--   repair  integer  1 to put right what is wrong
-- returns: { "checked", what is wrong with the index or "", what is wrong with the leases or "" } | { "refused", reason, … }
-- writes: 2
-- use: now, digits, guard_type
-- layout: plain-only, tagged counterpart reindex_tagged

local refusal = guard_type(session, 'hash') or guard_type(index, 'zset') or guard_type(record, 'hash')
  or guard_type(leases, 'zset')
if refusal then
  return refusal
end
local _, ms = now()
local of_index, of_leases = '', ''
local text = redis.call('HGET', session, 'last_heartbeat')
local heard, score = tonumber(text), tonumber(redis.call('ZSCORE', index, agent))
if heard and not (score and math.abs(score - heard) < 0.001) then
  of_index = 'was heard from at ' .. text .. ', and the index says ' .. (score and string.format('%.6f', score) or 'nothing')
  if repair == 1 then
    redis.call('ZADD', index, text, agent) -- drains: one entry for a session that is there
  end
end
local ends, noted = tonumber(redis.call('HGET', record, 'lease_until')), tonumber(redis.call('ZSCORE', leases, agent))
if ends and ends > ms and noted ~= ends then
  of_leases = 'has a lease until ' .. digits(ends) .. ', and the leases say ' .. (noted and digits(noted) or 'nothing')
  if repair == 1 then
    redis.call('ZADD', leases, digits(ends), agent) -- drains: one entry for a record that is there
  end
end
return { 'checked', of_index, of_leases }
