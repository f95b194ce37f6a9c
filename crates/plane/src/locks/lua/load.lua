-- purpose: Reads and writes the state of a lock.
-- gives: load, save, of_request, read_reader, reader_line
-- writes: 3
-- `f` the last fence, `h` the holders, `w` how many wait, `q` the last arrival, `x` the fence and the agent of the last
-- release, `z` a foreign owner and `zt` when we first met it, `b` until when nobody may have it. A lock with at most one
-- holder, which most are, is plain text that costs little to read and write. So is one with many readers: a line for the
-- lock, with when the first and the last of them lapse and how many there are, and a line for each; of these only what
-- everybody asks for is read, and the rest when it is asked for (`crowd` has the text). Other locks are packed. Numbers up to 14 digits keep them
-- all when Lua joins them to text.
-- A hold counts while the seed's key shows it: whoever deletes that key, as old clients do, has released the lock, and so
-- does a release of ours that nobody waits for. A task or a resource that its agent still lists was not released, so it
-- lapsed; a string lapsed if somebody waits, or shall wait, and its time is over.
local function shown(ref, hold, seen)
  local ade = ref:sub(1, 5) == 'task:' or ref:sub(1, 9) == 'resource:'
  if seen[hold.k] == nil then
    seen[hold.k] = ade and redis.pcall('HGET', hold.k, 'fence_token') or not ade and redis.pcall('GET', hold.k)
  end
  return ade and type(seen[hold.k]) == 'string' or seen[hold.k] == hold.a
end
local function reader_line(hold)
  return hold.a .. ' ' .. hold.e .. ' ' .. digits(hold.f) .. ' ' .. hold.u .. ' ' .. hold.r .. ' ' .. digits(hold.t) .. ' ' .. hold.l .. ' '
    .. hold.n .. ' ' .. hold.y .. ' ' .. hold.p
end
-- What is in the hold already stays; the rest comes from its line.
local function read_reader(line, hold)
  local had = rawget
  local f, r, t, l, n, y, p = line:match('^%S+ %d+ (%d+) %d+ (%S+) (%d+) (%d+) (%d+) (%d+) (.*)$')
  hold.f, hold.r, hold.t, hold.p = had(hold, 'f') or tonumber(f), had(hold, 'r') or r, had(hold, 't') or tonumber(t), had(hold, 'p') or p
  hold.l, hold.n, hold.y = had(hold, 'l') or tonumber(l), had(hold, 'n') or tonumber(n), had(hold, 'y') or tonumber(y)
  return hold
end
local function read_crowd(text)
  local f, w, q, x, key, at = text:match('^r (%d+) (%d+) (%S+) (%S+) (%S+) %d+ %d+ %d+()\n')
  local lock = { f = tonumber(f), w = tonumber(w), q = tonumber(q), x = x, h = {}, crowd = { key = key, text = text, at = at } }
  local late = { __index = function(hold, name)
    local from, to = rawget(hold, 'from'), rawget(hold, 'to')
    if from and name ~= 'line' then
      hold.from = nil
      return rawget(read_reader(text:sub(from, to - 1), hold), name)
    end
  end }
  local list, place = lock.h, 0
  for from, a, e, u, to in text:sub(at):gmatch('\n()(%S+) (%d+) %d+ (%d+) [^\n]*()') do
    local till = tonumber(u)
    place = place + 1
    list[place] = setmetatable({ a = a, e = e, m = 's', u = till, was = till, k = key, from = from + at - 1, to = to + at - 1 }, late)
  end
  lock.crowd.count = place
  return lock
end
-- What is left of a crowd of readers as text, or nothing if it is none.
local function crowd_lines(lock)
  local lines, same, was = {}, true, lock.crowd
  for place, hold in ipairs(lock.h) do
    local from = was and rawget(hold, 'from')
    same = same and from and hold.u == hold.was
    if hold.m ~= 's' then
      return nil
    end
  end
  if same and was and #lock.h == was.count then
    return was.text:sub(was.at)
  end
  for place, hold in ipairs(lock.h) do
    local from = was and hold.u == hold.was and rawget(hold, 'from')
    lines[place] = from and was.text:sub(from, hold.to - 1) or reader_line(hold)
    if lines[place]:find('\n', 1, true) then
      return nil
    end
  end
  return '\n' .. table.concat(lines, '\n') .. '\n'
end
local function crowd_text(lock)
  local lines = #lock.h > 32 and not lock.z and not lock.b and crowd_lines(lock)
  if not lines then
    return nil
  end
  local first, last = lock.h[1].u, 0
  for _, hold in ipairs(lock.h) do
    first, last = math.min(first, hold.u), math.max(last, hold.u)
  end
  return 'r ' .. digits(lock.f) .. ' ' .. lock.w .. ' ' .. string.format('%.6f', lock.q) .. ' ' .. lock.x .. ' ' .. lock.h[1].k .. ' ' .. first
    .. ' ' .. last .. ' ' .. #lock.h .. lines
end
local function read(text)
  local f, k, u, a, m, e, t, r, l, n, w, q, x, p = text:match('^[hq] (%d+) (%S+) (%d+) (%S+) (%S+) (%d+) (%d+) (%S+) (%d+) (%d+) (%d+) (%S+) (%S+) (.*)$')
  if f then
    return { f = tonumber(f), w = tonumber(w), q = tonumber(q), x = x, h = { { a = a, e = e, m = m, f = tonumber(f),
      u = tonumber(u), t = tonumber(t), r = r, l = tonumber(l), n = tonumber(n), k = k, p = p, y = 0 } } }
  end
  local fence, released = text:match('^f (%d+) %- 0 (%S+)')
  if fence then
    return { f = tonumber(fence), h = {}, w = 0, q = 0, x = released }
  end
  return text:sub(1, 2) == 'r ' and read_crowd(text) or cmsgpack.unpack(text)
end
local function was_released(ref, lock, hold, ms)
  if ref:sub(1, 5) == 'task:' or ref:sub(1, 9) == 'resource:' then
    return not redis.call('ZSCORE', holds(hold.a), ref .. ' ' .. hold.m)
  end
  return hold.u > ms or (lock.w == 0 and hold.y == 0)
end
local function load(ref, ms, text)
  text = text or redis.call('GET', state(ref))
  if not text then
    return { f = 0, h = {}, w = 0, q = 0, x = '-' }
  end
  local lock, seen = read(text), {}
  if lock.crowd and shown(ref, { k = lock.crowd.key }, seen) then
    return lock
  end
  for place = #lock.h, 1, -1 do
    local hold = lock.h[place]
    if not shown(ref, hold, seen) then
      if was_released(ref, lock, hold, ms) then
        lock.x = digits(hold.f) .. ',' .. hold.a
        table.remove(lock.h, place)
      end
      hold.u = 0
    end
  end
  return lock
end
-- The hold that a request was granted.
local function of_request(lock, request)
  local was = lock.crowd
  local old = not was or was.text:find(' ' .. request .. ' ', 1, true)
  for _, hold in ipairs(lock.h) do
    if (old or not rawget(hold, 'from')) and hold.r == request then
      return hold
    end
  end
end
local function save(ref, lock)
  local hold, text = lock.h[1], crowd_text(lock)
  if text then
    redis.call('SET', state(ref), text, 'PX', 604800000) -- drains: it replaces a value
    return
  end
  lock.crowd = nil
  for _, one in ipairs(lock.h) do
    -- What is read late would not be packed.
    one.was = one.p and nil
    one.to = nil
  end
  if lock.z or lock.b or lock.h[2] or (hold and (hold.f ~= lock.f or hold.y > 0)) or (not hold and lock.w > 0) then
    text = cmsgpack.pack(lock)
  elseif hold then
    text = (lock.w > 0 and 'q ' or 'h ') .. digits(hold.f) .. ' ' .. hold.k .. ' ' .. hold.u .. ' ' .. hold.a .. ' ' .. hold.m
      .. ' ' .. hold.e .. ' ' .. digits(hold.t) .. ' ' .. hold.r .. ' ' .. hold.l .. ' ' .. hold.n .. ' ' .. lock.w .. ' '
      .. string.format('%.6f', lock.q) .. ' ' .. lock.x .. ' ' .. hold.p
  else
    text = 'f ' .. digits(lock.f) .. ' - 0 ' .. lock.x
  end
  redis.call('SET', state(ref), text, 'PX', 604800000) -- drains: it replaces a value
end
