#!lua flags=allow-oom
-- purpose: Acknowledges items of one queue for several who ask in the same moment, each as if it had asked alone.
-- guarantee: As for an acknowledgement. Who has a token that no longer counts, or one whose end concerns others too, is told to ask alone, and nothing was done for it.
-- keys:
-- reaches:
--   agents   quorate.agent
--   claims   quorate.queue_claims
--   agenda   quorate.queue_agenda
--   held     quorate.queue_held
--   calls    quorate.queue_calls
-- args:
--   queue    text     the queue of all of them
--   process  text     whose call it is
--   slot     text     which of its lanes
--   seq      text     the number of the call in that lane
-- rest: askers
-- returns: a letter for each asker: `d` where all of its items are done, `a` where it is to ask alone
-- writes: 6
-- use: now, admit, allow, mark_call
-- layout: plain-only, tagged counterpart ack_each_tagged

-- An asker is `AGENT EPOCH TOKEN…`.
local _, ms = now()
local marks, whose, known, letters = {}, {}, {}, {}
for i = 1, #askers do
  local agent, epoch, tokens = askers[i]:match('^(%S+) (%d*) (.+)$')
  local who = agent .. ' ' .. epoch
  if known[who] == nil then
    local refused, _, most = allow(agent, epoch, ms)
    known[who] = not refused and not most
  end
  letters[i] = known[who] and 'd' or 'a'
  for token in tokens:gmatch('%S+') do
    local at = #marks + 1
    marks[at], whose[at] = token .. '.' .. agent, i
    if token:byte(-1) == 103 then
      letters[i] = 'a'
    end
  end
end
local ends, late = redis.call('ZMSCORE', agenda(queue), unpack(marks)), false
for at = 1, #marks do
  if not ends[at] or tonumber(ends[at]) <= ms then
    letters[whose[at]], late = 'a', true
  end
end
local before = late and redis.call('HGET', calls(process), slot)
if before and superseded(before) then
  return before:match(' (%S+)$')
end
local done, names, by, order = {}, {}, {}, {}
for at = 1, #marks do
  local i, mark = whose[at], marks[at]
  if letters[i] == 'd' then
    -- A fence has sixteen digits.
    local agent = askers[i]:match('^(%S+)')
    if not by[agent] then
      by[agent], order[#order + 1] = {}, agent
    end
    local own = by[agent]
    done[#done + 1], names[#names + 1], own[#own + 1] = mark, mark:sub(18, -#agent - 2), queue .. ' ' .. mark
  end
end
if #done > 0 then
  redis.call('HDEL', claims(queue), unpack(names))
  redis.call('ZREM', agenda(queue), unpack(done))
end
for _, agent in ipairs(order) do
  redis.pcall('ZREM', held(agent), unpack(by[agent]))
end
local verdict = table.concat(letters)
mark_call(verdict)
return verdict
