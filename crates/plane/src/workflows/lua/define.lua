#!lua
-- purpose: Keeps a version of a workflow, and lets new runs take it; the queues of its stages are in the list of queues from then on.
-- guarantee: What a version says never changes; the same topology is the same version.
-- keys:
--   workflow  quorate.workflow
--   names     quorate.workflow_names
--   used      quorate.queue_names
-- args:
--   name      text     which
--   digest    text     the hash of the topology
--   topology  json     what it says
--   who       text     who defines it
--   most      integer  how many versions one workflow may have
-- rest: queues
-- returns: { "defined" | "known", number } | { "refused", reason, … }
-- writes: 4
-- use: now, iso, digits, guard_type
-- layout: plain-only, tagged counterpart define_tagged

local refusal = guard_type(workflow, 'hash') or guard_type(names, 'set') or guard_type(used, 'set')
if refusal then
  return refusal
end
local known = redis.call('HMGET', workflow, 'v:' .. digest, 'n')
if known[1] then
  redis.call('HSET', workflow, 'current', digest)
  return { 'known', known[1] }
end
local number = (tonumber(known[2]) or 0) + 1
if number > most then
  return { 'refused', 'too_many_versions', digits(most) }
end
local us = now()
redis.call('HSET', workflow, 'current', digest, 'n', digits(number), 't:' .. digest, topology, 'v:' .. digest, digits(number),
  'by:' .. digest, who, 'at:' .. digest, iso(us))
redis.call('SADD', names, name)
if #queues > 0 then
  redis.call('SADD', used, unpack(queues))
end
return { 'defined', digits(number) }
