-- purpose: Microseconds since 1970 as ISO 8601 in UTC, the same text that Micros::iso gives.
-- gives: iso
-- writes: 0
-- Days to a date as in Howard Hinnant's civil_from_days: years begin in March, so leap days come last. A remainder costs a
-- fraction of a call of math.floor, and one call writes all the digits.
local function iso(us)
  local days = (us - us % 86400000000) / 86400000000 + 719468
  local of_era = days % 146097
  local whole = of_era - (of_era - of_era % 1460) / 1460 + (of_era - of_era % 36524) / 36524 - (of_era - of_era % 146096) / 146096
  local years = (whole - whole % 365) / 365
  local of_year = of_era - 365 * years - (years - years % 4) / 4 + (years - years % 100) / 100
  local months = 5 * of_year + 2
  local march = (months - months % 153) / 153
  local before = 153 * march + 2
  local month = march < 10 and march + 3 or march - 9
  local year = years + (days - of_era) / 146097 * 400 + (month <= 2 and 1 or 0)
  local second = (us - us % 1000000) / 1000000 % 86400
  return string.format('%04d-%02d-%02dT%02d:%02d:%02d.%06dZ', year, month, of_year - (before - before % 5) / 5 + 1,
    second / 3600, second / 60 % 60, second % 60, us % 1000000)
end
