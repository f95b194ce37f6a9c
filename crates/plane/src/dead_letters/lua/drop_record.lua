#!lua flags=allow-oom
-- purpose: Deletes a record of relayna's store because somebody decided so, or takes out of the lists one that has expired.
-- guarantee: It leaves the list and every index with it; the audit keeps who and why.
-- keys:
--   record  relayna.dead_letter
--   list    relayna.dead_letter_index
--   failed  relayna.failed_task_index
--   lock    relayna.replay_lock
--   all     quorate.dlq_all
--   queue   quorate.dlq_queue
--   queues  quorate.dlq_queues
--   audit   quorate.dead_audit
--   mine    quorate.dlq_task
-- args:
--   id    text     which
--   name  text     its queue
--   who   text     who decided
--   why   text     why
--   gone  integer  1 to act only if the record is not there
--   task  text     its task, or empty where nobody knows
-- returns: { "dropped" | "there" } | { "refused", reason, … }
-- writes: 9
-- use: now, iso, guard_type
-- layout: plain-only, tagged counterpart drop_record_tagged

local refusal = guard_type(audit, 'stream') or guard_type(list, 'list') or guard_type(failed, 'zset')
  or guard_type(all, 'zset') or guard_type(queue, 'zset') or guard_type(queues, 'zset')
  or (task ~= '' and guard_type(mine, 'zset') or nil)
if refusal then
  return refusal
end
local there = redis.call('EXISTS', record) == 1
if gone == 1 and there then
  return { 'there' }
end
if gone == 0 and not there then
  return { 'refused', 'no_letter', id }
end
if gone == 0 then
  local us = now()
  redis.call('XADD', audit, '*', 'event', 'dead.dropped', 'ts', iso(us), 'actor', who, 'letter', id, 'why', why) -- drains: more goes than comes
end
redis.call('LREM', list, 0, id)
redis.call('ZREM', failed, id)
redis.call('ZREM', all, id)
redis.call('ZREM', queue, id)
if task ~= '' then
  redis.call('ZREM', mine, id)
end
if redis.call('EXISTS', queue) == 0 then
  redis.call('ZREM', queues, name)
end
redis.call('DEL', record)
redis.call('DEL', lock)
return { 'dropped' }
