-- purpose: Notes the last call of one lane of a process with its verdict, so that a repeated one is told the same.
-- gives: mark_call, superseded
-- writes: 2
-- A lane has one call at a time, and their numbers grow: one that is not above the last was done, or its repeat was.
local function superseded(known)
  return tonumber(known:match('^%d+')) >= tonumber(seq)
end
local function mark_call(verdict)
  -- What cannot be remembered was done all the same.
  if slot ~= '' and redis.pcall('HSET', calls(process), slot, seq .. ' ' .. verdict) == 1 then -- drains: a bounded record
    redis.call('PEXPIRE', calls(process), 43200000)
  end
end
