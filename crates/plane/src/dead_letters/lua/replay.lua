#!lua
-- purpose: Gives a dead letter another life on the queue it came from.
-- guarantee: One new item for each time it is opened, however many ask at once; a repeated call is told the same item.
-- keys:
--   audit  quorate.dead_audit
-- reaches:
--   letter   quorate.dead_letter
--   delayed  quorate.queue_delayed
--   agenda   quorate.queue_agenda
--   wake     quorate.queue_wake
-- args:
--   name     text     which one
--   request  request  the id of the call
--   cap      integer  most replays of one letter
--   who      text     who asks
--   payload  json     what to put in the place of its payload, or empty
--   entry    json     what else the history keeps, as further fields of an object
-- returns: { "replayed", item } | { "refused", reason, detail }
-- writes: 4
-- use: now, iso
-- layout: plain-only, tagged counterpart replay_tagged

local us, ms = now()
local known = redis.call('HMGET', letter(name), 'source', 'state', 'replays', 'request', 'replayed_as', 'original', 'place', 'item')
if not known[1] then
  return { 'refused', 'no_letter', name }
end
if known[4] == request then
  return { 'replayed', known[5] }
end
if known[2] ~= 'open' then
  return { 'refused', 'already_replayed', known[5] or '' }
end
local replays, queue = tonumber(known[3] or '0'), known[1]:match('^queue:(.+)$')
if not queue then
  return { 'refused', 'no_replay', known[1] }
end
if replays >= cap then
  return { 'refused', 'replay_cap', string.format('%.0f', replays) }
end
local time = string.format('%.0f', ms)
local id = known[8]:gsub('%.r%d+$', '') .. '.r' .. (replays + 1)
local item = known[6]
if payload ~= '' then
  local most = item:match('^{"at":%d+,"id":"[^"]+","max":(%d+),')
  item = '{"at":' .. time .. ',"id":"' .. id .. '",' .. (most and '"max":' .. most .. ',' or '') .. '"payload":' .. payload .. '}'
end
local lane, class = (known[7] or ''):match('^(%S+) (%S+)$')
redis.call('ZADD', delayed(queue), time, '0 ' .. id .. ' ' .. (lane or '-') .. ' ' .. (class or '-') .. ' ' .. name .. ' 0 ' .. item)
redis.call('ZADD', agenda(queue), 'LT', time, '!d')
redis.call('PUBLISH', wake(queue), '!d')
redis.call('HSET', letter(name), 'state', 'replayed', 'replays', replays + 1, 'replayed_as', id, 'request', request,
  'history', (redis.call('HGET', letter(name), 'history') or '') .. '{"at":"' .. iso(us) .. '","event":"replayed","item":"' .. id .. '",' .. entry .. '}\n')
redis.call('XADD', audit, '*', 'event', 'dead.replayed', 'ts', iso(us), 'actor', who, 'letter', name, 'item', id)
return { 'replayed', id }
