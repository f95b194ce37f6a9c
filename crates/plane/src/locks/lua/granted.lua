-- purpose: The answer for a hold: its fence, when it lapses, the request it was given to, and its mode.
-- gives: granted
-- writes: 0
local function granted(hold)
  return { 'granted', digits(hold.f), digits(hold.u), hold.r, hold.m }
end
