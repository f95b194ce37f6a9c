-- purpose: Finds what a call has added already, when it is made again because its answer was lost.
-- gives: added_by
-- writes: 0
-- The request stands last in each entry. Only a repeated call looks, and no further back than its first attempt.
local function added_by(request, age_ms, ms, most)
  local ids = {}
  if age_ms > 0 then
    for _, entry in ipairs(redis.call('XRANGE', stream, string.format('%.0f', ms - age_ms - 1000), '+', 'COUNT', 10000)) do
      local fields = entry[2]
      if #ids < most and fields[#fields - 1] == 'request' and fields[#fields] == request then
        ids[#ids + 1] = entry[1]
      end
    end
  end
  return ids
end
