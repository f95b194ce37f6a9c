-- purpose: Counts what a stage of a run has ready, running, done and failed, gives it work, and ends the run.
-- gives: move, activate, ended, guard_views
-- writes: 13
-- The script has `run`, `agenda`, `task` and `view`, and `places` with the keys of the fan-in and of the queue of each stage
-- it speaks of. `open` counts what must still happen before the run is over: ready and running actions, and waiting joins.
local function move(stage, ready, running, done, failed, ms)
  local r, n, d, f, since = (redis.call('HGET', run, 'stage:' .. stage) or ''):match('^(%d+) (%d+) (%d+) (%d+) (%d+)$')
  local was = (tonumber(r) or 0) + (tonumber(n) or 0)
  local now_ready, now_running = (tonumber(r) or 0) + ready, (tonumber(n) or 0) + running
  if was == 0 then
    since = digits(ms)
  end
  if now_ready + now_running == 0 then
    redis.call('ZREM', agenda, 'sla ' .. task .. ' ' .. stage)
  end
  redis.call('HSET', run, 'stage:' .. stage, digits(now_ready) .. ' ' .. digits(now_running) .. ' ' .. digits((tonumber(d) or 0) + done) -- drains: counts
    .. ' ' .. digits((tonumber(f) or 0) + failed) .. ' ' .. since)
end
-- `at` is the place of the stage among the further keys; `facts.item` is what its queue gets, as a JSON text.
local function activate(at, facts, ms)
  local number = digits(redis.call('HINCRBY', run, 'n', 1)) -- drains: a count
  redis.call('HINCRBY', run, 'open', 1) -- drains: a count
  move(facts.stage, 1, 0, 0, 0, ms)
  if facts.sla then
    redis.call('ZADD', agenda, 'NX', digits(ms + facts.sla), 'sla ' .. task .. ' ' .. facts.stage) -- drains: one entry
  end
  if facts.item then
    redis.call('LPUSH', places[at * 2], '{"at":' .. digits(ms) .. ',"id":"' .. task .. '.' .. facts.stage .. '.' .. number -- drains: work that was there
      .. '","payload":' .. facts.item .. '}')
  end
end
-- A run that ends moves between these lists, and whether it ends is known only after the first write.
local function guard_views(...)
  for _, state in ipairs({ ... }) do
    local refusal = guard_type(view(state), 'zset')
    if refusal then
      return refusal
    end
  end
end
local function ended(state, why, us, ms)
  redis.call('HSET', run, 'state', state, 'ended_at', iso(us), 'error', why) -- drains: it ends
  redis.call('PEXPIRE', run, 2592000000)
  redis.call('ZREM', view('running'), task)
  redis.call('ZADD', view(state), digits(ms), task) -- drains: it moved
  redis.call('ZREM', agenda, 'run ' .. task)
  return state
end
