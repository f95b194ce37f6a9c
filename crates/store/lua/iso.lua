-- purpose: Microseconds since 1970 as ISO 8601 in UTC, the same text that Micros::iso gives.
-- gives: iso
-- writes: 0
-- Days to a date as in Howard Hinnant's civil_from_days: years begin in March, so leap days come last. The moments of one
-- script are mostly of one day, often the same, so the last of each is kept.
local iso_day, iso_date, iso_us, iso_text
local function iso(us)
  if us == iso_us then
    return iso_text
  end
  local floor = math.floor
  local seconds = floor(us / 1000000)
  local days = floor(seconds / 86400)
  if days ~= iso_day then
    local era = floor((days + 719468) / 146097)
    local of_era = days + 719468 - era * 146097
    local years = floor((of_era - floor(of_era / 1460) + floor(of_era / 36524) - floor(of_era / 146096)) / 365)
    local of_year = of_era - (365 * years + floor(years / 4) - floor(years / 100))
    local march = floor((5 * of_year + 2) / 153)
    local day = of_year - floor((153 * march + 2) / 5) + 1
    local month = march < 10 and march + 3 or march - 9
    iso_day, iso_date = days, string.format('%04d-%02d-%02dT', years + era * 400 + (month <= 2 and 1 or 0), month, day)
  end
  local clock = seconds - days * 86400
  iso_us, iso_text = us, string.format('%s%02d:%02d:%02d.%06dZ', iso_date,
    floor(clock / 3600), floor(clock / 60) % 60, clock % 60, us - seconds * 1000000)
  return iso_text
end
