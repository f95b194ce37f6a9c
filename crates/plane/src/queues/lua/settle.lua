-- purpose: The rest of acknowledging: late tokens are counted, a group goes on, the letter of a replayed item is resolved, and a job's occurrence is done.
-- gives: settle
-- writes: 3
-- Gives the places of the refused ones, as `2,5`, or a `-`.
local function settle(queue, done, names, held_by, stale, ms)
  local known = stale and slot ~= '' and redis.call('HGET', calls(process), slot)
  local verdict = known and superseded(known) and known:match(' (%S+)$')
  if verdict then
    return verdict
  end
  local groups, lives, items = {}, {}, {}
  for _, claim in ipairs(names) do
    local value = claim:sub(-1) == 'g' and redis.call('HGET', claims(queue), claim)
    local name, life, item = (value or ''):match('^%d+ %S+ %d+ %S+ (%S+) %S+ (%S+) %S+ (.*)$')
    groups[#groups + 1] = name and name:sub(1, 2) == 'g:' and name or nil
    lives[#lives + 1] = life ~= '-' and life or nil
    items[#items + 1] = item
  end
  strike(queue, done, names, held_by)
  for _, item in ipairs(items) do
    ended(queue, item, agent, 'done', ' ' .. agent, ms)
  end
  for _, name in ipairs(lives) do
    if redis.pcall('HGET', letter(name), 'state') == 'replayed' then
      redis.call('HSET', letter(name), 'state', 'resolved') -- drains: it replaces a value
    end
  end
  for _, name in ipairs(groups) do
    redis.pcall('SREM', busy(queue), name)
    open_lane(queue, name)
  end
  if stale then
    redis.call('HINCRBY', state(queue), 'stale', #stale) -- drains: a counter
  end
  verdict = stale and table.concat(stale, ',') or '-'
  mark_call(verdict)
  return verdict
end
