#!lua
-- purpose: Notes how far the feed of a service has been read.
-- guarantee: The cursor moves only when everything between the last one and the new one was taken, or what is missing is said; and
--   only from where it stood when the reading began.
-- keys:
--   record  relayna.service
--   cursor  relayna.pull_cursor
--   state   quorate.service_state
-- args:
--   from   text  the cursor when the reading began; empty for none
--   head   text  where the feed began
--   at     text  how far back the walk has come; empty when it has ended
--   lost   text  whether events were gone before they could be read
--   why    text  why it could not be read further; empty if it could
-- returns: { "advanced" | "moved" | "gone" } | { "refused", reason, detail }
-- writes: 8
-- use: now, digits, guard_type
-- layout: plain-only, tagged counterpart advance_tagged

local refusal = guard_type(cursor, 'string') or guard_type(state, 'hash')
if refusal then
  return refusal
end
if redis.call('EXISTS', record) == 0 then
  return { 'gone' }
end
if (redis.call('GET', cursor) or '') ~= from then
  return { 'moved' }
end
local _, ms = now()
redis.call('HSET', state, 'pulled_at', digits(ms), 'trouble', why)
if why ~= '' and head == '' then
  return { 'advanced' }
end
if at ~= '' then
  redis.call('HSET', state, 'head', head, 'at', at)
  return { 'advanced' }
end
if lost ~= '' then
  redis.call('HINCRBY', state, 'gaps', 1)
  redis.call('HSET', state, 'gap_at', digits(ms), 'gap_after', from)
end
if redis.call('HEXISTS', state, 'at') == 1 then
  redis.call('HDEL', state, 'head', 'at')
end
if head ~= '' then
  redis.call('SET', cursor, head)
end
return { 'advanced' }
