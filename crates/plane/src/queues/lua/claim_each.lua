#!lua flags=allow-oom
-- purpose: Claims items of one queue for several who ask in the same moment, each as if it had asked alone.
-- guarantee: As for a claim. Who needs more than the seed's list has is told to ask alone, and nothing was done for it; of a repeated call everybody is told to ask again.
-- keys:
--   list  reverie.task_queue
-- reaches:
--   agents   quorate.agent
--   claims   quorate.queue_claims
--   agenda   quorate.queue_agenda
--   held     quorate.queue_held
--   state    quorate.queue_state
-- args:
--   queue     text     which one
--   lease_ms  integer  how long they have for their items
--   repeated  again    whether it may have been done
-- rest: askers
-- returns: { "ENDS FENCE NEXT COUNTS", element… } | { "alone" } | { "again" }
-- writes: 10
-- use: now, admit, allow, fence, put_back
-- layout: plain-only, tagged counterpart claim_each_tagged

-- An asker is `WANTED EPOCH SALT AGENT`; a count is how many of the elements are its, or `-` where it is to ask alone.
local us, ms = now()
if repeated ~= '' then
  return { 'again' }
end
if redis.call('ZCOUNT', agenda(queue), '-inf', ms) > 0 then
  return { 'alone' }
end
local wants, salts, names, plain, again, total = {}, {}, {}, {}, {}, 0
for i = 1, #askers do
  local wanted, epoch, salt, agent = askers[i]:match('^(%d+) (%d*) (%S+) (.+)$')
  local known = agent .. ' ' .. epoch
  if plain[known] == nil then
    local refused, drain, most, repeats, lapsed = allow(agent, epoch, ms)
    plain[known], again[known] = not (refused or drain or most or lapsed), repeats
  end
  wants[i], salts[i], names[i] = plain[known] and not overtaken(again[known], salt) and tonumber(wanted) or false, salt, agent
  total = total + (wants[i] or 0)
end
local items = total > 0 and redis.pcall('RPOP', list, total) or {}
if items.err then
  return { 'alone' }
end
local count, form, done = #items, string.format, 0
local top, ends = count > 0 and last_fence(queue, count, us), form('%.0f', ms + lease_ms)
local last = (top or count) - count
local records, marks, by, order, counts, got = {}, {}, {}, {}, {}, { '' }
for i = 1, #askers do
  local agent, salt, mine = names[i], salts[i], wants[i] and math.min(wants[i], count - done)
  counts[i] = mine or '-'
  if mine and mine > 0 and not by[agent] then
    by[agent], order[#order + 1] = {}, agent
  end
  for place = 1, mine or 0 do
    done = done + 1
    local fence, claim, item, own = form('%.0f', last + done), salt .. '.' .. place, items[done], by[agent]
    local mark = fence .. '.' .. claim .. '.' .. agent
    records[2 * done - 1], records[2 * done] = claim, lease_ms .. ' ' .. agent .. ' 1 - - - - ' .. fence .. ' ' .. item
    marks[2 * done - 1], marks[2 * done] = ends, mark
    own[#own + 1], own[#own + 2] = ends, queue .. ' ' .. mark
    got[done + 1] = item
  end
end
-- What one of them holds is an index, and may be wrong; the claims themselves may not.
if count > 0 and (not top or type(redis.pcall('HSET', claims(queue), unpack(records))) ~= 'number') then -- drains: it moves what is there
  put_back(queue, list, items, top, us)
  return { 'alone' }
end
if count > 0 then
  redis.call('ZADD', agenda(queue), unpack(marks)) -- drains: as above
end
for _, agent in ipairs(order) do
  redis.pcall('ZADD', held(agent), unpack(by[agent])) -- drains: as above
end
local head = count < total and redis.call('ZRANGE', agenda(queue), 0, 0, 'WITHSCORES') or {}
got[1] = ends .. ' ' .. form('%.0f', last) .. ' ' .. (head[1] and head[2] - ms or '-') .. ' ' .. table.concat(counts, ',')
return got
