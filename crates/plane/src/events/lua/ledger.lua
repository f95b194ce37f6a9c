-- purpose: Writes down what a group lost, keeps the gap it must be told of, and says so to the world.
-- gives: announce, write_down
-- writes: 5
-- Names of groups come from anybody, so what is announced has only their harmless characters.
local function plain(text)
  return (text:gsub('[^%w%._@+:-]', '?'))
end
local function announce(event, level, group, words, us)
  local payload = '{"stream":"' .. name .. '","group":"' .. plain(group) .. '"' .. words .. '}'
  redis.call('XADD', alerts, '*', 'event', event, 'timestamp', iso(us), 'payload', payload, 'source', 'quorate') -- drains: trimmed by length
  redis.call('XADD', env, '*', 'ts', iso(us), 'level', level, 'event', event, 'msg', 'group ' .. plain(group) .. ' of ' .. name, -- drains: trimmed by length
    'fields', payload, 'source', 'quorate')
end
local function write_down(group, cause, unread, pending, sure, from, first, us, ms)
  local exact = sure == 'exact' and 1 or 0
  local known = redis.call('HGET', state, 'l:' .. group) or '0 0 1 0 0 -'
  local had_unread, had_pending, was_exact, since = known:match('^(%d+) (%d+) (%d) (%d+)')
  if unread + pending > 0 then
    redis.call('HSET', state, 'l:' .. group, string.format('%.0f %.0f %.0f %.0f %.0f ', had_unread + unread, had_pending + pending, -- drains: one per group
      math.min(exact, was_exact), since == '0' and ms or since, ms) .. cause)
    redis.call('XADD', losses, 'MAXLEN', '~', 10000, '*', 'stream', name, 'group', group, 'cause', cause, 'unread', unread, -- drains: capped
      'pending', pending, 'exact', exact == 1 and 'true' or 'false', 'bound', exact == 1 and '' or sure, 'after', from, 'before', first or '')
    announce('stream:loss', 'error', group, string.format(',"unread":%.0f,"pending":%.0f,"exact":%s,"cause":"%s"', unread, pending,
      exact == 1 and 'true' or 'false', cause), us)
  end
  local gap = redis.call('HGET', state, 'm:' .. group) or '0 0 1 -'
  local gap_unread, gap_pending, gap_exact, gap_from = gap:match('^(%d+) (%d+) (%d) (%S+)')
  redis.call('HSET', state, 'm:' .. group, string.format('%.0f %.0f %.0f ', gap_unread + unread, gap_pending + pending, -- drains: one per group
    math.min(exact, gap_exact)) .. (gap_from == '-' and from or gap_from) .. ' ' .. (first or '-') .. ' ' .. cause .. string.format(' %.0f', us))
end
