-- purpose: Ends claims whose work is done: one command each for all of them.
-- gives: finish, strike
-- writes: 3
-- A token counts while its lease runs; gives those that do, those that do not, and whether one concerns others too.
local function finish(queue, count, ms)
  local tail, before, marks, names, held_by = '.' .. agent, queue .. ' ', {}, {}, {}
  for i = 1, count do
    local token = more[i]
    local mark = token .. tail
    -- A fence has sixteen digits.
    marks[i], names[i], held_by[i] = mark, token:sub(18), before .. mark
  end
  local ends, late, grouped = redis.call('ZMSCORE', agenda(queue), unpack(marks)), false, false
  for i = 1, count do
    late = late or not ends[i] or tonumber(ends[i]) <= ms
    grouped = grouped or names[i]:byte(-1) == 103
  end
  if not late then
    return marks, names, held_by, nil, grouped
  end
  local done, done_names, done_by, stale = {}, {}, {}, {}
  for i = 1, count do
    if ends[i] and tonumber(ends[i]) > ms then
      local at = #done + 1
      done[at], done_names[at], done_by[at] = marks[i], names[i], held_by[i]
    else
      stale[#stale + 1] = i
    end
  end
  return done, done_names, done_by, stale, grouped
end
local function strike(queue, done, names, held_by)
  if #done > 0 then
    -- The claims first: if they cannot be read, nothing has been done.
    redis.call('HDEL', claims(queue), unpack(names))
    redis.call('ZREM', agenda(queue), unpack(done))
    redis.pcall('ZREM', held(agent), unpack(held_by))
  end
end
