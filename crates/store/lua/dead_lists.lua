-- purpose: The lists of dead letters: every list is there twice, for all letters and, with `open:` before it, for those that are open.
-- gives: bad_lists, unlist
-- writes: 4
-- The script reaches `view` (quorate.dead_view). `bad_lists`, which needs `guard_type`, is asked before the first write.
local function bad_lists(source, fingerprint)
  for _, which in ipairs({ '', 'open:' }) do
    local refusal = guard_type(view(which .. 'all'), 'zset') or guard_type(view(which .. 'clusters'), 'zset')
      or guard_type(view(which .. 'source:' .. source), 'zset') or guard_type(view(which .. 'cluster:' .. fingerprint), 'zset')
    if refusal then
      return refusal
    end
  end
end
local function unlist(which, name, source, fingerprint)
  redis.call('ZREM', view(which .. 'all'), name)
  redis.call('ZREM', view(which .. 'source:' .. source), name)
  redis.call('ZREM', view(which .. 'cluster:' .. fingerprint), name)
  if redis.call('EXISTS', view(which .. 'cluster:' .. fingerprint)) == 0 then
    redis.call('ZREM', view(which .. 'clusters'), fingerprint)
  end
end
