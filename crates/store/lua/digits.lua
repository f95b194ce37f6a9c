-- purpose: A whole number as text with all its digits, which Lua's own conversion does not keep.
-- gives: digits
-- writes: 0
local function digits(number)
  return string.format('%.0f', number)
end
