-- purpose: The answer for a hold: its fence, and when it lapses.
-- gives: granted
-- writes: 0
local function granted(hold)
  return 'granted ' .. digits(hold.f) .. ' ' .. digits(hold.u)
end
