-- purpose: Whether an event takes the place of the one that counts, and what our record says then.
-- gives: place_of, standing
-- writes: 0
-- What counts is `{ _, attempt, ended, at }`, nil where nothing does. An end is never too early.
local function place_of(counts, attempt, final, at)
  local before = counts and tonumber(counts[2]) or -1
  if attempt < before or (attempt == before and counts[3] ~= '1' and final == '' and at < tonumber(counts[4])) then
    return 'out_of_order'
  elseif attempt == before and counts[3] == '1' then
    return 'after_end'
  end
  return 'latest'
end
-- The fields of the record, in one command with the moment of its listing where that is new.
local function standing(number, listed, attempt, final, at, status)
  local said = { 'seq', number }
  if status then
    said = { 'seq', number, 'attempt', attempt, 'ended', final ~= '' and '1' or '0', 'at', string.format('%.0f', at), 'status', status }
  end
  if listed then
    said[#said + 1], said[#said + 2] = 'listed', listed
  end
  return said
end
