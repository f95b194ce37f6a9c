-- purpose: Counts what agents want, each for a minute from the first.
-- gives: tally
-- writes: 2
-- The counts of many are read at once and written at once, where the server can do that. One that is of another type is left
-- alone, and its agent is not `counted`.
local function tally(all)
  local keys, texts, seen = {}, {}, {}
  for at, own in ipairs(all) do
    keys[at] = rate_of(own.agent)
  end
  for at, text in ipairs(all[2] and redis.call('MGET', unpack(keys)) or {}) do
    -- What is not there yet begins its minute; what is no number is for the server to say.
    if text and text:find('^%d+$') and not seen[keys[at]] then
      texts[#texts + 1], texts[#texts + 2] = keys[at], string.format('%.0f', text + all[at].wants)
      seen[keys[at]], seen[at] = true, true
    end
  end
  local many = set_many(texts, 'KEEPTTL')
  for at, own in ipairs(all) do
    local tries = not (many and seen[at]) and redis.pcall('INCRBY', keys[at], own.wants)
    own.counted = not tries or type(tries) == 'number'
    if tries == own.wants then
      redis.call('PEXPIRE', keys[at], 60000)
    end
  end
end
