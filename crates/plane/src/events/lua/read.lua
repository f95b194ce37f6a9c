#!lua flags=allow-oom
-- purpose: Gives a consumer of a group what a dead consumer left, and what is new.
-- guarantee: An entry is with one consumer at a time until it is acknowledged; past the most deliveries it is a dead letter with its reason.
-- keys:
--   stream  reverie.events   or any other stream with groups
--   state   quorate.stream_state
--   losses  quorate.stream_losses
--   alerts  reverie.events
--   env     reverie.environment_log
--   aside   reverie.dead_observations
-- reaches:
--   letter  quorate.dead_letter
--   view    quorate.dead_view
-- args:
--   name      text     the stream's name
--   group     text     the group; it is made if it is not there
--   consumer  text     who reads
--   start     text     where a new group starts: 0 for everything, $ for what comes, or an id
--   count     integer  most entries
--   idle_ms   integer  how long an entry may be with a consumer that does not acknowledge it
--   most      integer  most deliveries of one entry
--   observed  integer  1 where what cannot be delivered is an observation, which goes to the seed's dead ones
-- returns: { "read", last, gap, aside, entries } | { "refused", reason, detail }
-- writes: 28
-- use: now, iso, guard_type, survey, mark, look, ledger, vanished, dead_lists, bury
-- layout: plain-only, tagged counterpart read_tagged

local us, ms = now()
local refusal = guard_type(stream, 'stream') or guard_type(state, 'hash') or guard_type(aside, 'stream') or guard_type(alerts, 'stream')
  or guard_type(env, 'stream') or guard_type(losses, 'stream')
if refusal then
  return refusal
end
local now_at = survey()
vanished(now_at, us, ms)
local function own()
  for _, one in ipairs(now_at and groups_of() or {}) do
    if one.name == group then
      return one
    end
  end
end
local known = own()
if not known then
  local counted = { ['0'] = now_at and now_at.gone or 0, ['$'] = now_at and now_at.added or 0 }
  redis.call('XGROUP', 'CREATE', stream, group, start, 'MKSTREAM', 'ENTRIESREAD', counted[start] or -1) -- drains: one per group
  now_at = survey()
  known = own()
end
local mark = read_mark(group, ms)
local unread, pending, sure, from = look(now_at, known, mark, tonumber(redis.call('HGET', state, 'gone') or nil))
local entries, put_aside = {}, 0
-- The letter of one entry of one group always has the same name: it is there once, however often it dies.
local function letter_of(id)
  return 'e' .. redis.sha1hex(name .. ' ' .. group .. ' ' .. id)
end
local function entomb(id, fields, deliveries, who)
  local text = {}
  for place = 1, #fields, 2 do
    text[#text + 1] = fields[place] .. ': ' .. fields[place + 1]
  end
  local own = letter_of(id)
  bury(own, 'stream:' .. name, id, table.concat(text, '\n'), 'delivered ' .. deliveries .. ' times to the group ' .. group .. ' and never acknowledged',
    deliveries, 'undelivered', who, group, ms)
  redis.call('HSET', letter(own), 'fields', cmsgpack.pack(fields)) -- drains: it leaves the group
end
-- What a consumer left comes alone, the oldest first: if it kills its next consumer too, nothing else is taken along.
for _ = 1, known.pending > 0 and count or 0 do
  local left = redis.call('XPENDING', stream, group, 'IDLE', idle_ms, '-', '+', 1)[1]
  local entry = left and redis.call('XRANGE', stream, left[1], left[1])[1]
  if not left then
    break
  elseif not entry then
    -- Destroyed while it was pending; what lies before the first entry is counted already.
    redis.call('XACK', stream, group, left[1])
    pending = pending + (now_at.first and before(now_at.first, left[1]) and 1 or 0)
  elseif left[4] >= most and (observed == 1 or not unburiable(letter_of(left[1]), 'stream:' .. name, 'undelivered')) then
    local fields = entry[2]
    if observed == 1 then
      for _, word in ipairs({ 'reason', 'max_deliveries', 'original_id', entry[1], 'stream', name, 'group', group, 'deliveries', left[4],
        'consumer', left[2], 'at', iso(us) }) do
        fields[#fields + 1] = word
      end
      redis.call('XADD', aside, '*', unpack(fields)) -- drains: it leaves the group
    else
      entomb(entry[1], fields, left[4], left[2])
    end
    redis.call('XACK', stream, group, entry[1])
    put_aside = put_aside + 1
  else
    redis.call('XCLAIM', stream, group, consumer, idle_ms, entry[1])
    entries[1] = { entry[1], left[4] + 1, entry[2] }
    break
  end
end
if unread + pending > 0 then
  write_down(group, mark.parked > 0 and mark.why or 'foreign', unread, pending, sure, from, now_at.first, us, ms)
end
if mark.parked > 0 then
  mark.parked, mark.why = 0, '-'
  announce('stream:group_returned', 'info', group, '', us)
end
if #entries == 0 then
  local fresh = redis.call('XREADGROUP', 'GROUP', group, consumer, 'COUNT', count, 'STREAMS', stream, '>')
  for _, entry in ipairs(fresh and fresh[1][2] or {}) do
    entries[#entries + 1] = { entry[1], 1, entry[2] }
    mark.last, mark.read, mark.held = entry[1], mark.read >= 0 and mark.read + 1 or -1, mark.held + 1
  end
end
keep_mark(group, mark)
return { 'read', mark.last, redis.call('HGET', state, 'm:' .. group) or '', put_aside, entries }
