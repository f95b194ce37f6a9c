#!lua
-- purpose: Keeps an attempt alive.
-- guarantee: Only the attempt under way is extended, and never beyond the time that its stage allows.
-- keys:
--   run       relayna.workflow_run
--   inflight  relayna.stage_inflight
--   running   quorate.workflow_running
--   agenda    quorate.workflow_agenda
-- args:
--   task        text     whose run it is
--   stage       text     where
--   signature   text     which action
--   attempt     text     which attempt
--   lease_ms    integer  how long from now
--   timeout_ms  integer  most of one attempt in all, or 0
--   ttl_ms      integer  how long readers see it
-- returns: { "extended", until } | { "refused", reason, … }
-- writes: 7
-- use: now, digits, guard_type, attempt
-- layout: plain-only, tagged counterpart extend_tagged

local refusal = guard_type(run, 'hash') or guard_type(inflight, 'hash') or guard_type(running, 'zset') or guard_type(agenda, 'zset')
if refusal then
  return refusal
end
local _, ms = now()
local until_ms = current()
if not until_ms or until_ms <= ms then
  return { 'refused', 'stale_attempt', attempt }
end
local state = redis.call('HGET', run, 'state')
if state ~= 'running' then
  return { 'refused', 'run_over', state or '' }
end
local held = redis.call('HGET', inflight, signature)
local till = ms + lease_ms
if timeout_ms > 0 then
  till = math.min(till, tonumber(held:match('"started":(%d+)')) + timeout_ms)
end
local text = digits(math.max(till, until_ms))
redis.call('HSET', inflight, signature, (held:gsub('"lease_until":%d+', '"lease_until":' .. text, 1)))
redis.call('PEXPIRE', inflight, ttl_ms)
redis.call('ZADD', running, text, task .. ' ' .. signature)
redis.call('ZADD', agenda, text, 'lease ' .. task .. ' ' .. stage .. ' ' .. signature)
return { 'extended', text }
