-- purpose: Whether two holders may be in a lock together: readers may, and different areas of one project may.
-- gives: compatible
-- writes: 0
local function compatible(a, b)
  if a == 's' and b == 's' then
    return true
  end
  return a ~= b and a:sub(1, 2) == 'a:' and b:sub(1, 2) == 'a:'
end
