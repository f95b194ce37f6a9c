-- purpose: Reads and writes the state of a lock.
-- gives: load, save
-- writes: 3
-- `f` the last fence, `h` the holders, `w` how many wait, `q` the last arrival, `x` the last fence that was released,
-- `z` a foreign owner and `zt` when we first met it. A free lock and one with a single holder, which most are, are plain
-- text that costs little to read and write; the rest is packed.
local function load(ref)
  local text = redis.call('GET', state(ref))
  if not text then
    return { f = 0, h = {}, w = 0, q = 0 }
  end
  local kind = text:sub(1, 2)
  if kind == 'f ' then
    local fence, released = text:match('^f (%d+) ?(.*)$')
    return { f = tonumber(fence), h = {}, w = 0, q = 0, x = released }
  end
  if kind == 'h ' then
    local f, a, e, m, u, t, r, l, n, k, p = text:match('^h (%d+) (%S+) (%d+) (%S+) (%d+) (%d+) (%S+) (%d+) (%d+) (%S+) (.*)$')
    return { f = tonumber(f), w = 0, q = 0, h = { { a = a, e = e, m = m, f = tonumber(f), u = tonumber(u), t = tonumber(t),
      r = r, l = tonumber(l), n = tonumber(n), k = k, p = p } } }
  end
  return cmsgpack.unpack(text)
end
local function save(ref, lock)
  local hold = lock.h[1]
  local plain = lock.w == 0 and not lock.z
  if plain and not hold then
    redis.call('SET', state(ref), 'f ' .. digits(lock.f) .. ' ' .. (lock.x or ''), 'PX', 604800000) -- drains: its fence
  elseif plain and not lock.h[2] and hold.f == lock.f then
    redis.call('SET', state(ref), 'h ' .. digits(hold.f) .. ' ' .. hold.a .. ' ' .. hold.e .. ' ' .. hold.m .. ' ' -- drains: one hold
      .. digits(hold.u) .. ' ' .. digits(hold.t) .. ' ' .. hold.r .. ' ' .. digits(hold.l) .. ' ' .. digits(hold.n) .. ' '
      .. hold.k .. ' ' .. hold.p, 'PX', 604800000)
  else
    redis.call('SET', state(ref), cmsgpack.pack(lock), 'PX', 604800000) -- drains: a lock that is there
  end
end
