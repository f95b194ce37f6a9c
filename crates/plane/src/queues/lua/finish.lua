-- purpose: Ends claims whose work is done: one command each for all of them.
-- gives: finish, strike
-- writes: 3
-- A token counts while its lease runs; gives those that do not, and whether one was of a group.
local function finish(queue, count, ms)
  local tail, marks = '.' .. agent, {}
  for i = 1, count do
    marks[i] = more[i] .. tail
  end
  local ends = redis.call('ZMSCORE', agenda(queue), unpack(marks))
  local done, names, held_by, stale, grouped = {}, {}, {}, nil, false
  for i = 1, count do
    if ends[i] and tonumber(ends[i]) > ms then
      -- A fence has sixteen digits.
      local claim = more[i]:sub(18)
      done[#done + 1], names[#names + 1], held_by[#held_by + 1] = marks[i], claim, queue .. ' ' .. marks[i]
      grouped = grouped or claim:sub(-1) == 'g'
    else
      stale = stale or {}
      stale[#stale + 1] = i
    end
  end
  return done, names, held_by, stale, grouped
end
local function strike(queue, done, names, held_by)
  if #done > 0 then
    redis.call('ZREM', agenda(queue), unpack(done))
    redis.call('HDEL', claims(queue), unpack(names))
    redis.call('ZREM', held(agent), unpack(held_by))
  end
end
