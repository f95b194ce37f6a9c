-- purpose: Microseconds since 1970 as ISO 8601 in UTC, the same text that Micros::iso gives.
-- gives: iso
-- writes: 0
-- Days to a date as in Howard Hinnant's civil_from_days: years begin in March, so leap days come last.
local function iso(us)
  local floor = math.floor
  local seconds = floor(us / 1000000)
  local days = floor(seconds / 86400)
  local clock = seconds - days * 86400
  local era = floor((days + 719468) / 146097)
  local of_era = days + 719468 - era * 146097
  local years = floor((of_era - floor(of_era / 1460) + floor(of_era / 36524) - floor(of_era / 146096)) / 365)
  local of_year = of_era - (365 * years + floor(years / 4) - floor(years / 100))
  local march = floor((5 * of_year + 2) / 153)
  local day = of_year - floor((153 * march + 2) / 5) + 1
  local month = march < 10 and march + 3 or march - 9
  local year = years + era * 400 + (month <= 2 and 1 or 0)
  return string.format('%04d-%02d-%02dT%02d:%02d:%02d.%06dZ', year, month, day,
    floor(clock / 3600), floor(clock / 60) % 60, clock % 60, us - seconds * 1000000)
end
