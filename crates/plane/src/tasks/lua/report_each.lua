#!lua
-- purpose: Takes status events of several calls of one moment, each as if it had come alone.
-- guarantee: As for a report, for each by itself. One that is out of the ordinary (known already, late, after the end, on top of
--   another client's, with an id that another task has used, beside a key of another type) is left to its own call, and nothing
--   was done for it.
-- keys:
--   recent  quorate.task_recent
--   feed    relayna.feed
--   state   quorate.feed_state
-- keys-rest: marks relayna.status_event   one for each, and then for each the feed's: relayna.feed_event
-- reaches:
--   history  relayna.status_history
--   channel  relayna.status_channel
--   record   quorate.task_report
-- args:
--   store     text     the prefix of the store
--   maxlen    integer  most events of a history
--   ttl       integer  seconds until the store forgets, 0 for never
--   feed_len  integer  most events of the feed
--   feed_ttl  integer  seconds until the feed forgets, 0 for never
-- rest: events
-- returns: a line for each: "accepted SEQ latest -" | "-"
-- writes: 13
-- use: now, iso, guard_type, ours, standing
-- layout: plain-only, tagged counterpart report_each_tagged

-- An event is `TASK ATTEMPT FINAL AT`, then its status, its cursor and what the feed says of it, a line each, and itself.
local us, ms = now()
local answers, parts = {}, {}
for place, line in ipairs(events) do
  local task, attempt, final, at, status, cursor, offer, event =
    line:match('^(%S+) (%d+) (1?) (%d*)\n([^\n]*)\n([^\n]*)\n([^\n]*)\n(.*)$')
  answers[place] = '-'
  parts[place] = { task = task, attempt = tonumber(attempt), final = final, at = at, status = status, cursor = cursor,
    offer = offer, event = event }
end
if guard_type(feed, 'list') or guard_type(recent, 'zset') then
  return table.concat(answers, '\n')
end
-- What is known of a task is read once, and goes on from there with each of its events.
local function look(task)
  local known = redis.pcall('HMGET', record(store .. ':' .. task), 'seq', 'attempt', 'ended', 'at', 'listed')
  local head = redis.pcall('LINDEX', history(task), 0)
  local plain = not known.err and type(head) ~= 'table' and (known[1] and head and ours(head) or not known[1] and not head)
  if not plain then
    return {}
  end
  local relist = ms - (tonumber(known[5]) or 0) >= (ttl > 0 and math.min(1000, ttl * 100) or 1000)
  return { plain = true, seq = tonumber(known[1]) or 0, counts = known[1] and known, relist = relist }
end
local all_new = redis.call('EXISTS', unpack(marks)) == 0
local tasks, seen, taken, first = {}, {}, {}, 0
for place, own in ipairs(parts) do
  local mark, offered = marks[place], marks[#events + place]
  local task, at = tasks[own.task] or look(own.task), math.min(tonumber(own.at) or us, us)
  local new = not seen[mark] and not seen[offered] and (all_new or redis.call('EXISTS', marks[place], marks[#events + place]) == 0)
  tasks[own.task] = task
  if new and task.plain and place_of(task.counts, own.attempt, own.final, at) == 'latest' then
    seen[mark], seen[offered] = true, true
    task.seq, task.counts = task.seq + 1, { '', own.attempt, own.final == '1' and '1' or '0', at }
    first = first + (task.seq == 1 and 1 or 0)
    own.place, own.number, own.stamp, own.relist = place, string.format('%.0f', task.seq), at, task.relist
    taken[#taken + 1], task.relist = own, false
  end
end
local top = #taken > 0 and redis.pcall('HINCRBY', state, 'seq', #taken)
if type(top) ~= 'number' then
  return table.concat(answers, '\n')
end

local stamp, time_ms, items, relisted = ',"timestamp":"' .. iso(us) .. '"', string.format('%.0f', ms), {}, {}
for nth, own in ipairs(taken) do
  local task, time = own.task, own.at == '' and stamp or ''
  local whole = own.event .. time .. ',"seq":' .. own.number .. '}'
  local length = redis.call('LPUSH', history(task), whole)
  if length > maxlen then
    redis.call('LTRIM', history(task), 0, maxlen - 1)
  end
  redis.call('HSET', record(store .. ':' .. task),
    unpack(standing(own.number, own.relist and time_ms, own.attempt, own.final, own.stamp, own.status)))
  if ttl > 0 and (own.relist or length == 1) then
    redis.call('EXPIRE', history(task), ttl)
    redis.call('EXPIRE', record(store .. ':' .. task), ttl)
  end
  if own.relist then
    relisted[#relisted + 1], relisted[#relisted + 2] = time_ms, task
  end
  own.nth = string.format('%.0f', top - #taken + nth)
  items[nth] = '{"cursor":' .. own.cursor .. own.offer .. time .. ',"payload":' .. whole .. ',"seq":' .. own.nth .. '}'
  redis.call('PUBLISH', channel(task), whole)
  answers[own.place] = 'accepted ' .. own.number .. ' latest -'
end
local expired = first > 0 and ttl > 0
  and redis.call('ZRANGEBYSCORE', recent, '-inf', string.format('%.0f', ms - ttl * 1000), 'LIMIT', 0, 8 * first) or {}
if #expired > 0 then
  redis.call('ZREM', recent, unpack(expired))
end
if #relisted > 0 then
  redis.call('ZADD', recent, unpack(relisted))
end
local length = redis.call('LPUSH', feed, unpack(items))
if length > feed_len then
  redis.call('LTRIM', feed, 0, feed_len - 1)
end
if feed_ttl > 0 and (#relisted > 0 or length == #items) then
  redis.call('EXPIRE', feed, feed_ttl)
end
local function lasting(seconds)
  return unpack(seconds > 0 and { 'EX', seconds } or {})
end
for _, own in ipairs(taken) do
  redis.call('SET', marks[#events + own.place], '#' .. own.nth, lasting(feed_ttl))
end
for _, own in ipairs(taken) do
  redis.call('SET', marks[own.place], '#' .. own.number, lasting(ttl))
end
return table.concat(answers, '\n')
