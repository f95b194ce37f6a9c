-- purpose: What an item says of itself, read by its first letters: our own form has a fixed order, and anything else is foreign.
-- gives: item_at, item_id, item_most
-- writes: 0
-- An id has the letters that `item.rs` allows: one with a space would shift the words of its record.
local function item_at(item)
  return tonumber((item:match('^{"at":(%d+),"id":"')))
end
local function item_id(item)
  return item:match('^{"at":%d+,"id":"(%w[%w._@+:%%-]*)","') or item:match('^{"id":"(%w[%w._@+:%%-]*)","payload":')
end
-- What others wrote may ask for any number of attempts.
local function item_most(item, default)
  local most = tonumber((item:match('^{"at":%d+,"id":"[^"]+","max":(%d+),'))) or 0
  return most >= 1 and most <= 1000 and most or default
end
