#!lua flags=allow-oom
-- purpose: Keeps what was last reported of the server.
-- guarantee: It works when the server is full too.
-- keys:
--   watch  quorate.engine_watch
-- args:
--   slow     text     the newest entry of the slow log
--   clients  integer  how many clients there were
--   memory   integer  1 while its lack has been reported
--   run      text     the server's run
-- returns: { "kept" }
-- writes: 1
-- layout: any

redis.call('HSET', watch, 'slow', slow, 'clients', clients, 'memory', memory, 'run', run) -- drains: four fields
return { 'kept' }
