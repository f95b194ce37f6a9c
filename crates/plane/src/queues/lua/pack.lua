-- purpose: Writes the record of an item that is not claimed any more.
-- gives: record_of
-- writes: 0
local function record_of(one, attempts)
  return attempts .. ' ' .. one.id .. ' ' .. one.name .. ' ' .. one.class .. ' ' .. one.life .. ' ' .. one.fence .. ' ' .. one.item
end
