-- purpose: Finds what was destroyed before a group had acknowledged it, since the last look.
-- gives: look
-- writes: 3
-- Everything that is gone lies before the first entry. A group that stands before it has lost what lies between: `gone` less
-- what it had read, which the server counts. The count is put right afterwards, because older servers go on from the wrong one.
-- Gives what was lost unread and pending, and how sure that is: `exact`, `at least`, `at most`.
local function place_of(now_at, group)
  if group.last == now_at.last then
    return now_at.added
  end
  local after = #redis.call('XRANGE', stream, '(' .. group.last, '+', 'COUNT', 1000)
  return after < 1000 and now_at.added - after or nil
end
local function lost_unread(now_at, group, mark, gone_before)
  local behind = before(group.last, now_at.first or now_at.last)
  if behind and group.read then
    local lost, moved = now_at.gone - group.read, mark.known and group.read - mark.read or 0
    if lost <= 0 then
      return 0, 'exact'
    end
    redis.call('XGROUP', 'SETID', stream, group.name, group.last, 'ENTRIESREAD', now_at.gone)
    group.read = now_at.gone
    -- From 7.2 on the count jumps over a hole that was read across. It did not if as many are unacknowledged as it grew by.
    local counted = moved == 0 or moved == group.pending - mark.held or redis.REDIS_VERSION_NUM < 0x00070200
    return lost, counted and 'exact' or 'at least'
  elseif behind then
    redis.call('XGROUP', 'SETID', stream, group.name, group.last, 'ENTRIESREAD', now_at.gone)
    group.read = now_at.gone
    return gone_before and math.max(0, now_at.gone - gone_before) or 0, 'at most'
  end
  local passed = mark.known and now_at.first and before(mark.last, now_at.first) and mark.last ~= group.last
  if group.read and not passed then
    return 0, 'exact'
  end
  local place = place_of(now_at, group)
  local lost = place and group.read and place - group.read or 0
  if place and place ~= group.read then
    redis.call('XGROUP', 'SETID', stream, group.name, group.last, 'ENTRIESREAD', place)
    group.read = place
  end
  return math.max(0, lost), 'exact'
end
local function look(now_at, group, mark, gone_before)
  local unread, sure = lost_unread(now_at, group, mark, gone_before)
  local pending, upto = 0, mark.upto
  if group.pending > 0 then
    for _ = 1, 10 do
      local page = redis.call('XPENDING', stream, group.name, upto, now_at.first and '(' .. now_at.first or '+', 1000)
      pending = pending + #page
      upto = #page > 0 and '(' .. page[#page][1] or upto
      if #page < 1000 then
        break
      end
    end
  end
  local from = mark.last or group.last
  mark.upto, mark.last, mark.read, mark.held = upto, group.last, group.read or -1, group.pending
  return unread, pending, sure, from
end
