-- purpose: Notes the last call of one lane of a process with its verdict, so that a repeated one is told the same.
-- gives: mark_call
-- writes: 2
local function mark_call(verdict)
  if slot ~= '' and redis.call('HSET', calls(process), slot, seq .. ' ' .. verdict) == 1 then -- drains: a bounded record
    redis.call('PEXPIRE', calls(process), 43200000)
  end
end
