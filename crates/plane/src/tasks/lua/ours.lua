-- purpose: Whether an event of a history was taken by us: ours end with their number.
-- gives: ours
-- writes: 0
local function ours(event)
  return event:find('"seq":%d+[,}]', -48)
end
