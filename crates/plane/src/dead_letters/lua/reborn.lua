-- purpose: Whether a dead letter may have another life, and the note that it got one.
-- gives: judged, reborn
-- writes: 2
-- The script reaches `letter` and `view`, and uses `dead_lists`.
-- Gives what is known of it, and what to answer where it may not.
local function judged(name)
  local known = redis.call('HMGET', letter(name), 'source', 'state', 'replays', 'request', 'replayed_as', 'original', 'place', 'item', 'fingerprint')
  if not known[1] then
    return nil, 'refused no_letter ' .. name
  end
  if known[4] == request then
    return nil, 'replayed ' .. known[5]
  end
  if known[2] ~= 'open' then
    return nil, 'refused already_replayed ' .. (known[5] or '')
  end
  if tonumber(known[3] or '0') >= cap then
    return nil, 'refused replay_cap ' .. known[3]
  end
  local refusal = bad_lists(known[1], known[9] or '')
  if refusal then
    return nil, 'refused wrong_type ' .. refusal[3]
  end
  return known
end
local function reborn(name, known, replays, id, us)
  redis.call('HSET', letter(name), 'state', 'replayed', 'replays', replays, 'replayed_as', id, 'request', request,
    'history', (redis.call('HGET', letter(name), 'history') or '') .. '{"at":"' .. iso(us) .. '","event":"replayed","item":"' .. id .. '",' .. entry .. '}\n')
  unlist('open:', name, known[1], known[9] or '')
  redis.call('XADD', audit, '*', 'event', 'dead.replayed', 'ts', iso(us), 'actor', who, 'letter', name, 'item', id)
end
