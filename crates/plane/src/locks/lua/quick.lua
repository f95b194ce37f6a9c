-- purpose: The short way to a lock: nobody holds it and nobody waits for it.
-- gives: quick
-- writes: 3
-- Gives the fence and the end of the hold; or nothing, and has written nothing, where there is more to do: the long way does it.
local function quick(us, ms, clock, current, request, ref, agent, ttl, purpose, seed, kept, text, most)
  local kind = ref:sub(1, 5)
  local ade = kind == 'task:' or kind == 'resou'
  local last, released = was_free(text, seed, ade, ms)
  if not last or type(redis.pcall('ZCARD', held)) ~= 'number' then
    return nil
  end
  local lapse = string.format('%.0f', ms + ttl)
  if not ade then
    if not redis.call('SET', seed, agent, 'NX', 'PX', ttl) then
      return nil
    end
  -- The first write fails by itself, with nothing done, if the registry is no sorted set; the long way then says so.
  elseif (most and kind == 'task:') or redis.pcall('HLEN', seed) ~= 0
    or type(redis.pcall('SCARD', index_of(agent))) ~= 'number' or type(redis.pcall('XLEN', events('lock'))) ~= 'number'
    or type(redis.pcall('ZADD', registry(), lapse:sub(1, -4) .. '.' .. lapse:sub(-3), seed)) ~= 'number' then
    return nil
  end
  return keep_hold(kept, us, clock, last, released, seed, lapse, agent, current, request, ttl, purpose), lapse
end
