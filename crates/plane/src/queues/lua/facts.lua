-- purpose: What an item says of itself, read by its first letters: our own form has a fixed order, and anything else is foreign.
-- gives: item_at, item_id, item_most
-- writes: 0
local function item_at(item)
  return tonumber((item:match('^{"at":(%d+),"id":"')))
end
local function item_id(item)
  return item:match('^{"at":%d+,"id":"([^"]+)"') or item:match('^{"id":"([%w][%w%._@+-]*)","payload":')
end
local function item_most(item, default)
  return tonumber((item:match('^{"at":%d+,"id":"[^"]+","max":(%d+),'))) or default
end
