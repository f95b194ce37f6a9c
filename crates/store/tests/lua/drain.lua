#!lua flags=allow-oom
-- purpose: Empties an account.
-- guarantee: It works on a full server too.
-- keys:
--   account  test.account
-- args:
-- returns: how many keys went
-- writes: 1
-- layout: any
return redis.call('DEL', account)
