#!lua flags=allow-oom
-- purpose: Removes a webhook with its secret.
-- guarantee: What is still on its way to it is not sent any more; a repeated call gets the first answer.
-- keys:
--   hook     quorate.webhook
--   secret   quorate.webhook_secret
--   list     quorate.webhook_list
--   answers  quorate.webhook_answers
-- args:
--   id       text     which one
--   request  request  the id of the call
-- returns: { "removed", url, how many are left } | { "refused", reason, detail }
-- writes: 6
-- use: guard_type, digits, answers
-- layout: plain-only, tagged counterpart rm_tagged

local refusal = guard_type(hook, 'hash') or guard_type(list, 'zset') or guard_type(answers, 'hash')
if refusal then
  return refusal
end
local again = recall(answers, request)
if again then
  return again
end
local url = redis.call('HGET', hook, 'url')
if not url then
  return { 'refused', 'no_webhook', id }
end
redis.call('DEL', hook)
redis.call('DEL', secret)
redis.call('ZREM', list, id)
return remember(answers, request, { 'removed', url, digits(redis.call('ZCARD', list)) }, 64, 600000)
