#!lua flags=allow-oom
-- purpose: Puts a dead letter back into its lists, or takes out of them a name that no letter has.
-- guarantee: Looks at the letter itself before it writes.
-- keys:
-- reaches:
--   letter  quorate.dead_letter
--   view    quorate.dead_view
-- args:
--   name  text  which one
-- returns: { "indexed" | "removed" }
-- writes: 5
-- layout: plain-only, tagged counterpart reindex_tagged

local known = redis.call('HMGET', letter(name), 'source', 'fingerprint', 'died_at')
if not known[1] or not known[2] or not known[3] then
  redis.call('ZREM', view('all'), name)
  return { 'removed' }
end
redis.call('ZADD', view('all'), known[3], name) -- drains: one name
redis.call('ZADD', view('source:' .. known[1]), known[3], name) -- drains: one name
redis.call('ZADD', view('cluster:' .. known[2]), known[3], name) -- drains: one name
redis.call('ZADD', view('clusters'), 'GT', known[3], known[2]) -- drains: one name
return { 'indexed' }
