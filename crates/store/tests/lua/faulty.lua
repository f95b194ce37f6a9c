#!lua
-- purpose: Fails on its twelfth line.
-- guarantee: None; it shows how a fault is told.
-- keys:
--   account  test.account
-- args:
-- returns: nothing
-- writes: 1
-- layout: any

redis.call('SET', account, 'x')
local nothing = nil + 1
