#!lua flags=no-writes
-- purpose: Reads several accounts.
-- guarantee: It sees all of them at one moment.
-- keys:
-- keys-rest: accounts test.account
-- args:
--   factor   number  every balance is multiplied by it
-- rest: labels
-- returns: { label, balance }, in the order of the keys
-- writes: 0
-- use: digits
-- layout: plain-only, tagged counterpart peek_one
local found = {}
for index, account in ipairs(accounts) do
  local balance = tonumber(redis.call('GET', account)) or 0
  found[index] = { labels[index] or '', digits(balance * factor) }
end
return found
