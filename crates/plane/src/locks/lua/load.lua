-- purpose: Reads and writes the packed state of a lock.
-- gives: load, save
-- writes: 1
-- `f` the last fence, `h` the holders, `w` how many wait, `q` the last arrival, `x` the last fence that was released,
-- `z` a foreign owner and `zt` when we first met it.
local function load(ref)
  local packed = redis.call('GET', state(ref))
  return packed and cmsgpack.unpack(packed) or { f = 0, h = {}, w = 0, q = 0 }
end
local function save(ref, lock)
  redis.call('SET', state(ref), cmsgpack.pack(lock), 'PX', 604800000) -- drains: a lock that is there, or its fence
end
