#!lua flags=allow-oom
-- purpose: Puts a dead letter back into its lists, or takes out of them a name that no letter has.
-- guarantee: Looks at the letter itself before it writes.
-- keys:
-- reaches:
--   letter  quorate.dead_letter
--   view    quorate.dead_view
-- args:
--   name  text  which one
-- returns: { "indexed" | "removed" } | { "refused", reason, detail }
-- writes: 10
-- use: guard_type, dead_lists
-- layout: plain-only, tagged counterpart reindex_tagged

local known = redis.call('HMGET', letter(name), 'source', 'fingerprint', 'died_at', 'state')
if not known[1] or not known[2] or not known[3] then
  redis.call('ZREM', view('all'), name)
  redis.call('ZREM', view('open:all'), name)
  return { 'removed' }
end
local refusal = bad_lists(known[1], known[2])
if refusal then
  return refusal
end
unlist('open:', name, known[1], known[2])
for _, which in ipairs(known[4] == 'open' and { '', 'open:' } or { '' }) do
  redis.call('ZADD', view(which .. 'all'), known[3], name) -- drains: one name
  redis.call('ZADD', view(which .. 'source:' .. known[1]), known[3], name) -- drains: one name
  redis.call('ZADD', view(which .. 'cluster:' .. known[2]), known[3], name) -- drains: one name
  redis.call('ZADD', view(which .. 'clusters'), 'GT', known[3], known[2]) -- drains: one name
end
return { 'indexed' }
