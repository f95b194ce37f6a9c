-- purpose: The answer to a claim that was already given: its items carry the id of the call.
-- gives: again
-- writes: 0
local function again(queue, most)
  local got = {}
  for i = 1, most do
    for _, claim in ipairs({ salt .. '.' .. i, salt .. '.' .. i .. 'g' }) do
      local value = redis.call('HGET', claims(queue), claim)
      if value then
        local record = value:match('^%d+ %S+ (.*)$')
        local fence = record:match('^%d+ %S+ %S+ %S+ %S+ (%d+)')
        local ends = redis.call('ZSCORE', agenda(queue), fence .. '.' .. claim .. '.' .. agent) or '0'
        got[#got + 1] = queue .. ' ' .. ends .. ' ' .. claim .. ' ' .. record
      end
    end
  end
  return got
end
