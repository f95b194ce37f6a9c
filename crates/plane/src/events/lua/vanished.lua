-- purpose: Finds that a whole stream was destroyed since the last look, and writes down what its groups lost with it.
-- gives: vanished
-- writes: 2
-- A stream that is not there, or in which fewer entries were ever added than before, is another one. What came between the
-- last look and its end is not known, so a loss is `at least`. Gives how much.
local function vanished(now_at, us, ms)
  local added, lost = tonumber(redis.call('HGET', state, 'added') or 0), 0
  if added == 0 or now_at and now_at.added >= added then
    return 0
  end
  for _, field in ipairs(redis.call('HKEYS', state)) do
    local group = field:match('^g:(.+)$')
    local mark = group and read_mark(group, ms)
    if group then
      local unread = mark.read >= 0 and math.max(0, added - mark.read) or 0
      if unread + mark.held > 0 then
        write_down(group, mark.parked > 0 and mark.why or 'foreign', unread, mark.held, 'at least', mark.last or '-', now_at and now_at.first, us, ms)
      end
      lost = lost + unread + mark.held
      redis.call('HDEL', state, field)
    end
  end
  redis.call('HSET', state, 'added', 0, 'gone', 0)
  return lost
end
