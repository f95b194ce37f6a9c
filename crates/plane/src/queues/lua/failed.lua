-- purpose: Buries an item that was tried as often as it may be.
-- gives: entomb, grave
-- writes: 1
-- The letter of an item that was replayed is the one it had; a group goes on with its next item.
local function grave(claim, value)
  local life = (value or ''):match('^%d+ %S+ %d+ %S+ %S+ %S+ (%S+) ')
  return life and life ~= '-' and life or claim
end
local function entomb(queue, claim, one, reason, print, who, ms)
  local name = one.life ~= '-' and one.life or claim
  bury(name, 'queue:' .. queue, one.id, one.item, reason, one.attempts, print, who, one.name .. ' ' .. one.class, ms)
  ended(queue, one.item, who, 'failed', ' ' .. who .. ' ' .. reason, ms)
  if one.name:sub(1, 2) == 'g:' then
    redis.call('SREM', busy(queue), one.name)
    open_lane(queue, one.name)
  end
  return name
end
