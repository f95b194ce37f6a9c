#!lua flags=no-writes
-- purpose: A page of a service's feed.
-- guarantee: From one moment, and it begins where the cursor says; where that is gone it says so.
-- keys:
--   feed    relayna.feed
--   state   quorate.feed_state
--   marker  relayna.feed_event   of the cursor
-- args:
--   cursor  json     the cursor as it stands in an event, or empty for none
--   newer   text     whether what came after it is wanted, oldest first, and not what came before
--   limit   integer  most events
-- returns: { "found" | "trimmed" | "unknown", how many are lost, whether there are more, event… } | { "refused", reason, … }
-- writes: 0
-- use: guard_type
-- layout: plain-only, tagged counterpart page_tagged

local refusal = guard_type(feed, 'list') or guard_type(state, 'hash') or guard_type(marker, 'string')
if refusal then
  return refusal
end
local length = redis.call('LLEN', feed)
local number = tonumber((redis.call('GET', marker) or ''):match('^#(%d+)$'))
-- The seed's own clients write a space after the colon, or none.
local function is(item)
  local opening = item:sub(1, #cursor + 40)
  return opening:find('"cursor":' .. cursor, 1, true) or opening:find('"cursor": ' .. cursor, 1, true)
end
local function search(from)
  for start = from, math.min(length, from + 10000) - 1, 100 do
    local items = redis.call('LRANGE', feed, start, start + 99)
    for place = 1, #items do
      if is(items[place]) then
        return start + place - 1
      end
    end
  end
end
-- What foreign clients put there since only pushes it further down; what they took out is found by looking from the top.
local top = tonumber(redis.call('HGET', state, 'seq')) or 0
local guess = number and math.max(0, top - number) or 0
local at = cursor ~= '' and (search(guess) or (guess > 0 and search(0)))
local word = (at or cursor == '') and 'found' or number and 'trimmed' or 'unknown'
local answer = { word, '', '' }
local items = {}
if newer == '' and word ~= 'trimmed' then
  items = redis.call('LRANGE', feed, (at or -1) + 1, (at or -1) + 1 + limit)
  answer[3] = #items > limit and '1' or ''
  items[limit + 1] = nil
elseif newer ~= '' then
  local last = (at or length) - 1
  local found = last >= 0 and redis.call('LRANGE', feed, math.max(0, last - limit + 1), last) or {}
  for place = #found, 1, -1 do
    items[#items + 1] = found[place]
  end
  answer[3] = last + 1 > limit and '1' or ''
  local oldest = tonumber((items[1] or ''):match('"seq":(%d+)}$'))
  if word == 'trimmed' and oldest then
    answer[2] = string.format('%.0f', math.max(0, oldest - number - 1))
  end
end
for place = 1, #items do
  answer[#answer + 1] = items[place]
end
return answer
