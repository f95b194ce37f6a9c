-- purpose: Whether the keys of a queue hold what they should, before anything is moved between them.
-- gives: unsound
-- writes: 0
-- Lua has no rollback: an item that was taken off its list and could not be written down would be gone.
local function unsound(queue)
  return guard_type(claims(queue), 'hash') or guard_type(agenda(queue), 'zset') or guard_type(state(queue), 'hash')
    or guard_type(delayed(queue), 'zset') or guard_type(classes(queue), 'zset') or guard_type(busy(queue), 'set')
end
