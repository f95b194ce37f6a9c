-- purpose: Reads and writes what a waiting request asked for, and how ade's queue shows it.
-- gives: read_waiter, waiter_text, queue_member
-- writes: 0
-- `a` the agent, `e` its epoch, `m` the mode, `l` how long to hold, `d` the deadline, `o` the priority, `t` since when, `x`
-- whom to wake, `y` when it last asked or 0, `s` how many seconds it would wait, `c` the lock delay, `k` the seed's key,
-- `p` the purpose. A request that was chosen to give way has its verdict here instead: `v`, and the ring in `c`.
local function read_waiter(text)
  if not text then
    return nil
  end
  local a, e, m, l, d, o, t, x, y, s, c, k, p = text:match('^w (%S+) (%d+) (%S+) (%d+) (%d+) (%S+) (%d+) (%S+) (%d+) (%d+) (%d+) (%S+) (.*)$')
  if not a then
    return cmsgpack.unpack(text)
  end
  return { a = a, e = e, m = m, l = tonumber(l), d = tonumber(d), o = tonumber(o), t = tonumber(t), x = x, y = tonumber(y),
    s = tonumber(s), c = tonumber(c), k = k, p = p }
end
local function waiter_text(waiter)
  return 'w ' .. waiter.a .. ' ' .. waiter.e .. ' ' .. waiter.m .. ' ' .. waiter.l .. ' ' .. waiter.d .. ' ' .. waiter.o .. ' '
    .. digits(waiter.t) .. ' ' .. waiter.x .. ' ' .. waiter.y .. ' ' .. waiter.s .. ' ' .. waiter.c .. ' ' .. waiter.k .. ' ' .. waiter.p
end
local function queue_member(request, waiter)
  return '{"agent_id":"' .. waiter.a .. '","mode":"exclusive","priority":' .. waiter.o .. ',"requested_at":"' .. iso(waiter.t)
    .. '","max_wait_seconds":' .. waiter.s .. ',"request":"' .. request .. '"}'
end
