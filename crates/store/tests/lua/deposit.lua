#!lua
-- purpose: Adds to an account, once per request id.
-- guarantee: A repeated call changes nothing and gets the first answer.
-- keys:
--   account  test.account
--   ring     test.ring
-- args:
--   amount   integer  what is added
--   request  request  the id of the call
-- returns: { "done", the balance, the time }
-- writes: 4
-- use: now, guard_type, answers
-- layout: any
local known = recall(ring, request)
if known then
  return known
end
local wrong = guard_type(account, 'string')
if wrong then
  return wrong
end
local us = now()
local balance = redis.call('INCRBY', account, amount)
return remember(ring, request, { 'done', balance, string.format('%.0f', us) }, 3, 60000)
