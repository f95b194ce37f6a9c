#!lua flags=allow-oom
-- purpose: Looks after a stream: counts what was destroyed, parks groups that nobody reads for, trims what everybody has.
-- guarantee: No entry is trimmed that a group which is not parked has yet to acknowledge; a loss is written down once.
-- keys:
--   stream  reverie.events   or any other stream with groups
--   state   quorate.stream_state
--   losses  quorate.stream_losses
--   alerts  reverie.events
--   env     reverie.environment_log
-- args:
--   name      text     the stream's name
--   keep      integer  how many entries are kept for everybody
--   cap       integer  how many are kept for groups that lag; 0 for any number
--   ttl_ms    integer  how long a group may be silent; 0 for ever
--   age_ms    integer  how old an entry may get; 0 for any age
--   work      integer  1 where an entry goes as soon as every group has it, and stays while there is no group
--   every_ms  integer  how soon the next look is due
-- returns: { "looked", trimmed, lost, parked } | { "wait" } | { "absent" } | { "refused", reason, detail }
-- writes: 17
-- use: now, iso, guard_type, survey, mark, look, ledger, vanished, trim
-- layout: plain-only, tagged counterpart upkeep_tagged

local us, ms = now()
local refusal = guard_type(state, 'hash')
if not refusal and tonumber(redis.call('HGET', state, 'due') or 0) > ms then
  return { 'wait' }
end
refusal = refusal or guard_type(stream, 'stream') or guard_type(alerts, 'stream') or guard_type(env, 'stream') or guard_type(losses, 'stream')
if refusal then
  return refusal
end
local now_at = survey()
local vanished_with = vanished(now_at, us, ms)
if not now_at then
  -- Of a stream that is made from here on nothing has gone yet, whoever makes it, so that what goes before the next look counts.
  if redis.call('HGET', state, 'gone') ~= '0' then
    redis.call('HSET', state, 'gone', 0) -- drains: one field
  end
  return vanished_with > 0 and { 'looked', 0, vanished_with, 0 } or { 'absent' }
end
local gone_before = tonumber(redis.call('HGET', state, 'gone') or nil)
local holders, lost, parked, here = {}, vanished_with, 0, {}
local function park(group, mark, why)
  mark.parked, mark.why = ms, why
  parked = parked + 1
  write_down(group.name, why, 0, 0, 'exact', group.last, now_at.first, us, ms)
  announce('stream:group_parked', 'warn', group.name, ',"reason":"' .. why .. '"', us)
  keep_mark(group.name, mark)
end
local function silence(group, mark)
  local idle = ms - mark.seen
  for _, flat in ipairs(redis.call('XINFO', 'CONSUMERS', stream, group.name)) do
    idle = math.min(idle, facts(flat).idle)
  end
  return idle
end
local groups = groups_of()
for _, group in ipairs(groups) do
  here['g:' .. group.name] = true
  local mark = read_mark(group.name, ms)
  local unread, pending, sure, from = look(now_at, group, mark, gone_before)
  if unread + pending > 0 then
    lost = lost + unread + pending
    write_down(group.name, mark.parked > 0 and mark.why or 'foreign', unread, pending, sure, from, now_at.first, us, ms)
  end
  local owes = group.pending > 0 or before(group.last, now_at.last)
  local silent = ttl_ms > 0 and owes and silence(group, mark) >= ttl_ms
  if mark.parked > 0 and not silent then
    mark.parked, mark.why = 0, '-'
    announce('stream:group_returned', 'info', group.name, '', us)
  elseif mark.parked == 0 and silent then
    park(group, mark, 'parked')
  end
  keep_mark(group.name, mark)
  if mark.parked == 0 then
    holders[#holders + 1] = { group = group, mark = mark, oldest = oldest_of(now_at, group) }
  end
end
table.sort(holders, function(one, other) return before(one.oldest, other.oldest) end)
local function bound()
  if holders[1] then
    return holders[1].oldest
  end
  return now_at.last:match('^%d+') .. '-18446744073709551615'
end
local trimmed = 0
if work == 0 or #groups > 0 then
  trimmed = trim(now_at.length, bound(), keep, work == 1)
end
for _ = 1, #holders do
  if cap == 0 or now_at.length - trimmed <= cap then
    break
  end
  local slowest = table.remove(holders, 1)
  park(slowest.group, slowest.mark, 'overflow')
  trimmed = trimmed + trim(now_at.length - trimmed, bound(), keep, false)
end
if age_ms > 0 then
  local oldest = string.format('%.0f-0', ms - age_ms)
  trimmed = trimmed + redis.call('XTRIM', stream, 'MINID', '~', before(oldest, bound()) and oldest or bound(), 'LIMIT', 10000)
end
for _, field in ipairs(redis.call('HKEYS', state)) do
  if field:sub(1, 2) == 'g:' and not here[field] then
    redis.call('HDEL', state, field)
  end
end
local mine = tonumber(redis.call('HGET', state, 'trimmed') or 0) + trimmed
redis.call('HSET', state, 'due', ms + every_ms, 'gone', now_at.gone + trimmed, 'added', now_at.added, 'trimmed', mine) -- drains: four fields
return { 'looked', trimmed, lost, parked }
