#!lua
-- purpose: Takes a record into relayna's store of dead letters, or into our lists one that another client wrote.
-- guarantee: Record, list and indexes go together; a record is there once, and its text is never replaced.
-- keys:
--   record  relayna.dead_letter
--   list    relayna.dead_letter_index
--   failed  relayna.failed_task_index
--   all     quorate.dlq_all
--   queue   quorate.dlq_queue
--   queues  quorate.dlq_queues
--   mine    quorate.dlq_task
-- args:
--   id      text     which
--   name    text     its queue
--   text    json     the record
--   moment  integer  when it was given up, in Unix milliseconds
--   ttl_ms  integer  how long it is kept, or 0
--   adopt   integer  1 for a record that is there and in no list of ours, 2 for one that was found in the seed's list
--   task    text     its task, or empty
-- returns: { "kept" | "known" } | { "refused", reason, … }
-- writes: 11
-- use: digits, guard_type, of_task
-- layout: plain-only, tagged counterpart keep_record_tagged

local refusal = guard_type(record, 'string') or guard_type(list, 'list') or guard_type(failed, 'zset')
  or guard_type(all, 'zset') or guard_type(queue, 'zset') or guard_type(queues, 'zset')
  or (task ~= '' and guard_type(mine, 'zset') or nil)
if refusal then
  return refusal
end
local there = redis.call('GET', record)
if adopt > 0 and there ~= text then
  return { 'refused', 'conflict' }
end
if adopt == 0 and there then
  return there == text and { 'known' } or { 'refused', 'record_exists', id }
end
if adopt == 0 then
  redis.call('SET', record, text)
  if ttl_ms > 0 then
    redis.call('PEXPIRE', record, ttl_ms)
  end
  redis.call('LPUSH', list, id)
elseif adopt == 1 and not redis.call('LPOS', list, id) then
  redis.call('LPUSH', list, id)
end
redis.call('ZADD', failed, string.format('%.3f', moment / 1000), id)
redis.call('ZADD', all, digits(moment), id)
redis.call('ZADD', queue, digits(moment), id)
redis.call('ZADD', queues, 'GT', digits(moment), name)
if task ~= '' then
  of_task(mine, record, moment, id)
end
return { 'kept' }
