#!lua flags=allow-oom
-- purpose: Says whether a webhook, its secret and the list agree, and puts the list right.
-- guarantee: Looks at the webhook itself before it writes.
-- keys:
--   hook    quorate.webhook
--   secret  quorate.webhook_secret
--   list    quorate.webhook_list
-- args:
--   id      text     which one
--   repair  integer  1 to put it right
-- returns: { "judged", "" | "dangling" | "hidden" | "unsigned" | "leftover" } | { "refused", reason, detail }
-- writes: 3
-- use: guard_type
-- layout: plain-only, tagged counterpart judge_tagged

local refusal = guard_type(hook, 'hash') or guard_type(list, 'zset')
if refusal then
  return refusal
end
local since = redis.call('HGET', hook, 'created_at')
local listed = redis.call('ZSCORE', list, id)
local signed = redis.call('EXISTS', secret) == 1
if since then
  if not signed then
    return { 'judged', 'unsigned' }
  end
  if listed then
    return { 'judged', '' }
  end
  if repair == 1 then
    redis.call('ZADD', list, since, id) -- drains: one name
  end
  return { 'judged', 'hidden' }
end
if repair == 1 then
  redis.call('ZREM', list, id)
  redis.call('DEL', secret)
end
return { 'judged', listed and 'dangling' or signed and 'leftover' or '' }
