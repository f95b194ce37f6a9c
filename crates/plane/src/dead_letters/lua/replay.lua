#!lua
-- purpose: Gives dead letters another life on the queues they came from.
-- guarantee: One new item for each time one is opened, however many ask at once; a repeated call is told the same items.
-- keys:
--   audit  quorate.dead_audit
-- reaches:
--   letter   quorate.dead_letter
--   view     quorate.dead_view
--   delayed  quorate.queue_delayed
--   agenda   quorate.queue_agenda
--   wake     quorate.queue_wake
-- args:
--   request  request  the id of the call
--   cap      integer  most replays of one letter
--   who      text     who asks
--   payload  json     what to put in the place of a payload, or empty
--   entry    json     what else the history keeps, as further fields of an object
-- rest: names
-- returns: { line… }, for each letter `replayed ITEM` or `refused REASON DETAIL`
-- writes: 8
-- use: now, iso, guard_type, dead_lists, reborn
-- layout: plain-only, tagged counterpart replay_tagged

local us, ms = now()
local time = string.format('%.0f', ms)
local function revive(name)
  local known, said = judged(name)
  if said then
    return said
  end
  local queue = known[1]:match('^queue:(.+)$')
  if not queue then
    return 'refused no_replay ' .. known[1]
  end
  local refusal = guard_type(audit, 'stream') or guard_type(delayed(queue), 'zset') or guard_type(agenda(queue), 'zset')
  if refusal then
    return 'refused wrong_type ' .. refusal[3]
  end
  local replays = tonumber(known[3] or '0') + 1
  local id, item = known[8]:gsub('%.r%d+$', '') .. '.r' .. replays, known[6]
  if payload ~= '' then
    local most = item:match('^{"at":%d+,"id":"[^"]+","max":(%d+),')
    item = '{"at":' .. time .. ',"id":"' .. id .. '",' .. (most and '"max":' .. most .. ',' or '') .. '"payload":' .. payload .. '}'
  end
  local lane, class = (known[7] or ''):match('^(%S+) (%S+)$')
  redis.call('ZADD', delayed(queue), time, '0 ' .. id .. ' ' .. (lane or '-') .. ' ' .. (class or '-') .. ' ' .. name .. ' 0 ' .. item)
  redis.call('ZADD', agenda(queue), 'LT', time, '!d')
  redis.call('PUBLISH', wake(queue), '!d')
  reborn(name, known, replays, id, us)
  return 'replayed ' .. id
end
local lines = {}
for place = 1, math.min(#names, 200) do
  lines[place] = revive(names[place])
end
return lines
