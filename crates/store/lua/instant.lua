-- purpose: A moment as the seed's clients write it, in microseconds since 1970; nil for what is none. One without a zone is in UTC.
-- gives: instant
-- writes: 0
-- A date to days as in Howard Hinnant's days_from_civil: years begin in March, so leap days come last.
local function instant(text)
  local year, month, day, hour, minute, second, rest =
    (text or ''):match('^(%d%d%d%d)%-(%d%d)%-(%d%d)[Tt ](%d%d):(%d%d):(%d%d)(.*)$')
  if not year then
    return nil
  end
  local fraction, zone = rest:match('^[.,](%d+)(.*)$')
  zone = zone or rest
  local sign, east, quarter = zone:match('^([+-])(%d%d):?(%d?%d?)$')
  if not sign and zone ~= '' and zone ~= 'Z' and zone ~= 'z' then
    return nil
  end
  local shift = sign and (east * 3600 + (tonumber(quarter) or 0) * 60) * (sign == '-' and -1 or 1) or 0
  month = tonumber(month)
  local years = year - (month <= 2 and 1 or 0)
  local era = math.floor(years / 400)
  local of_era = years - era * 400
  local of_year = math.floor((153 * (month + (month > 2 and -3 or 9)) + 2) / 5) + day - 1
  local days = era * 146097 + of_era * 365 + math.floor(of_era / 4) - math.floor(of_era / 100) + of_year - 719468
  local micros = fraction and tonumber((fraction .. '000000'):sub(1, 6)) or 0
  return (days * 86400 + hour * 3600 + minute * 60 + second - shift) * 1000000 + micros
end
