-- purpose: Reads and writes the state of a lock.
-- gives: load, save
-- writes: 3
-- `f` the last fence, `h` the holders, `w` how many wait, `q` the last arrival, `x` the fence and the agent of the last
-- release, `z` a foreign owner and `zt` when we first met it, `b` until when nobody may have it. A lock with at most one
-- holder, which most are, is plain text that costs little to read and write; the rest is packed. Numbers up to 14 digits
-- keep them all when Lua joins them to text.
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
  return cmsgpack.unpack(text)
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
local function save(ref, lock)
  local hold, text = lock.h[1], nil
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
