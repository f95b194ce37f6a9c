#!lua flags=allow-oom
-- purpose: Ends a run because somebody decided so.
-- guarantee: What is under way is not interrupted, and its result no longer counts.
-- keys:
--   run     relayna.workflow_run
--   agenda  quorate.workflow_agenda
-- reaches:
--   view  quorate.workflow_view
-- args:
--   task  text  whose run it is
--   why   text  who decided, and why
-- returns: { "cancelled" } | { "refused", reason, … }
-- writes: 13
-- use: now, iso, digits, guard_type, stages
-- layout: plain-only, tagged counterpart cancel_tagged

local places = {}
local refusal = guard_type(run, 'hash') or guard_type(agenda, 'zset') or guard_views('running', 'cancelled')
if refusal then
  return refusal
end
local us, ms = now()
local known = redis.call('HMGET', run, 'state', 'error')
if not known[1] then
  return { 'refused', 'no_run', task }
end
if known[1] == 'cancelled' and known[2] == why then
  return { 'cancelled' }
end
if known[1] ~= 'running' then
  return { 'refused', 'run_over', known[1] }
end
ended('cancelled', why, us, ms)
return { 'cancelled' }
