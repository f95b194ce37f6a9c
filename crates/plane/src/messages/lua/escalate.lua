#!lua
-- purpose: Tells the senders of messages that were not acknowledged in time, and the operator where there is one.
-- guarantee: Never before the deadline, and once for each message, however many processes look.
-- keys:
--   deadlines  quorate.ack_deadlines
--   setting    ade.config
-- reaches:
--   inbox      reverie.inbox
--   letters    quorate.letters
--   message    quorate.message
--   mailed     quorate.mailed
--   thread_of  quorate.thread
-- args:
--   mint  text     what new ids begin with
--   most  integer  how many messages at once
-- returns: { "escalated", how many, how many were due } | { "refused", reason, … }
-- writes: 10
-- use: now, iso, digits, guard_type, post
-- layout: plain-only, tagged counterpart escalate_tagged

local refusal = guard_type(deadlines, 'zset') or guard_type(mailed('quorate'), 'zset')
if refusal then
  return refusal
end
local us, ms = now()
local named = redis.pcall('GET', setting)
local operator = type(named) == 'string' and named:match('^%w[%w._@+-]*$') or nil
local done, due = 0, redis.call('ZRANGEBYSCORE', deadlines, '-inf', digits(ms), 'LIMIT', 0, most)
local function tell(id, whom, known, mark)
  if whom and #whom <= 128 and not unpostable(whom) and not (known[5] and guard_type(thread_of(known[5]), 'zset')) then
    local fields = '"from":"quorate","to":"' .. whom .. '","kind":"escalation","about":"' .. id .. '","body":"' .. known[1]
      .. ' has not acknowledged message ' .. id .. ' of ' .. known[2] .. ' by ' .. iso(tonumber(known[4])) .. '"}'
    post(mint .. mark .. done, whom, 'quorate', known[5] or '', fields, 0, us)
  end
end
for _, id in ipairs(due) do
  local known = redis.pcall('HMGET', message(id), 'to', 'from', 'acked_at', 'ack_by', 'thread', 'escalated_at', 'taken_at')
  if not known.err then
    redis.call('ZREM', deadlines, id)
  end
  if known[1] and known[2] and known[4] and not known[3] and not known[6] and not known[7] then
    done = done + 1
    redis.call('HSET', message(id), 'escalated_at', digits(us))
    tell(id, known[2], known, '.')
    if operator ~= known[2] then
      tell(id, operator, known, '.o')
    end
  end
end
return { 'escalated', done, #due }
