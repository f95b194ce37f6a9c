#!lua
-- purpose: Puts messages into inboxes, one for each recipient.
-- guarantee: A message is stored whole or its sender is refused; a full inbox loses nothing; a repeated id is one message.
-- keys:
--   sender     quorate.agent
--   deadlines  quorate.ack_deadlines
--   setting    ade.config
-- reaches:
--   inbox      reverie.inbox
--   letters    quorate.letters
--   message    quorate.message
--   mailed     quorate.mailed
--   thread_of  quorate.thread
-- args:
--   request  request  the id of the first message
--   from     text     who sends
--   epoch    text     its epoch, or empty
--   thread   text     what the messages belong to, or empty
--   ack_ms   integer  how long there is time to acknowledge them; 0 for any time
-- rest: posts
-- returns: { "sent", "stored" | "full" | "wrong_type", id, when or the cap or the key, … } | { "refused", reason, … }
-- writes: 8
-- use: now, iso, digits, guard_type, admit, vouch, post
-- layout: plain-only, tagged counterpart send_tagged

local us, ms = now()
local refusal = guard_type(sender, 'hash') or guard_type(deadlines, 'zset') or guard_type(mailed(from), 'zset')
  or (thread ~= '' and guard_type(thread_of(thread), 'zset')) or vouch(sender, epoch, ms)
if refusal then
  return refusal
end
local kept = redis.pcall('GET', setting)
local cap = tonumber(type(kept) == 'string' and kept or '') or 10000
local answer = { 'sent' }
local function say(verdict, id, detail)
  answer[#answer + 1], answer[#answer + 2], answer[#answer + 3] = verdict, id, detail
end
local ack_by = ack_ms > 0 and ms + ack_ms or 0
-- Further arguments are triples: id, recipient, and the rest of the message as JSON. The first id is the request's.
for place = 1, #posts, 3 do
  local id, to, fields = posts[place], posts[place + 1], posts[place + 2]
  id = place == 1 and request or id
  local before = redis.call('HGET', message(id), 'sent_at')
  local wrong = not before and unpostable(to)
  if before then
    say('stored', id, before)
  elseif wrong then
    say('wrong_type', id, wrong[3])
  elseif redis.call('LLEN', inbox(to)) >= cap then
    say('full', id, digits(cap))
  else
    post(id, to, from, thread, fields, ack_by, us)
    say('stored', id, digits(us))
  end
end
return answer
