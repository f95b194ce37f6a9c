-- purpose: The rest of acknowledging: late tokens are refused and counted, and a group goes on with its next item.
-- gives: settle
-- writes: 2
-- Gives the places of the refused ones, as `2,5`, or a `-`.
local function settle(queue, done, names, held_by, stale)
  local known = stale and slot ~= '' and redis.call('HGET', calls(process), slot)
  local verdict = known and known:match('^(%S+)') == seq and known:match(' (%S+)$')
  if verdict then
    return verdict
  end
  local groups = {}
  for _, claim in ipairs(names) do
    local value = claim:sub(-1) == 'g' and redis.call('HGET', claims(queue), claim)
    groups[#groups + 1] = value and value:match('^%d+ %S+ %d+ %S+ (%S+)') or nil
  end
  strike(queue, done, names, held_by)
  for _, name in ipairs(groups) do
    redis.call('SREM', busy(queue), name)
    open_lane(queue, name)
  end
  if stale then
    redis.call('HINCRBY', state(queue), 'stale', #stale) -- drains: a counter
  end
  verdict = stale and table.concat(stale, ',') or '-'
  mark_call(verdict)
  return verdict
end
