#!lua
-- purpose: Replaces a record of relayna's store, and puts what is replayed into its queue.
-- guarantee: Only if the record is as the caller has read it; a replay is marked and published in one step, so it is made once.
-- keys:
--   record  relayna.dead_letter
--   failed  relayna.failed_task_index
--   lock    relayna.replay_lock
--   target  ade.job_queue   or reverie.task_queue, for work of a queue by priority
--   names   quorate.queue_names
--   mine    quorate.dlq_task
-- args:
--   id      text     which
--   moment  integer  when its task failed, in Unix milliseconds
--   old     json     the record as it was read
--   new     json     what it becomes
--   item    json     what the queue gets, after its time, or empty
--   force   integer  1 to go on although another client says it is replaying
--   queue   text     what the queue is called in the list of queues
--   task    text     its task, or empty
-- returns: { "changed" } | { "refused", reason, … }
-- writes: 7
-- use: now, digits, guard_type, of_task
-- layout: plain-only, tagged counterpart change_record_tagged

local refusal = guard_type(record, 'string') or guard_type(lock, 'string') or guard_type(failed, 'zset')
  or (item ~= '' and (guard_type(target, 'list') or guard_type(names, 'set')) or nil)
  or (task ~= '' and guard_type(mine, 'zset') or nil)
if refusal then
  return refusal
end
if redis.call('GET', record) ~= old then
  return { 'refused', 'conflict' }
end
if item ~= '' and force == 0 and redis.call('EXISTS', lock) == 1 then
  return { 'refused', 'replay_claimed' }
end
if item ~= '' then
  local _, ms = now()
  redis.call('LPUSH', target, '{"at":' .. digits(ms) .. ',' .. item)
  redis.call('SADD', names, queue)
end
redis.call('SET', record, new, 'KEEPTTL')
redis.call('ZADD', failed, string.format('%.3f', moment / 1000), id)
if task ~= '' then
  of_task(mine, record, moment, id)
end
return { 'changed' }
