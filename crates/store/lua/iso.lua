-- purpose: Microseconds since 1970 as ISO 8601 in UTC, the same text that Micros::iso gives.
-- gives: iso
-- writes: 0
-- Days to a date as in Howard Hinnant's civil_from_days: years begin in March, so leap days come last. The moments of one
-- script are mostly of one day, often the same, so the last of each is kept. Two digits at a time are cut out of a text,
-- which costs a fraction of what Lua needs to write a number.
local iso_day, iso_date, iso_us, iso_text
local function iso(us)
  if us == iso_us then
    return iso_text
  end
  local floor = math.floor
  local pairs_of_digits = '00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748495051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899'
  local function two(number)
    return pairs_of_digits:sub(number * 2 + 1, number * 2 + 2)
  end
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
    local year = years + era * 400 + (month <= 2 and 1 or 0)
    iso_day, iso_date = days, two(floor(year / 100)) .. two(year % 100) .. '-' .. two(month) .. '-' .. two(day) .. 'T'
  end
  local clock, part = seconds - days * 86400, us - seconds * 1000000
  iso_us, iso_text = us, iso_date .. two(floor(clock / 3600)) .. ':' .. two(floor(clock / 60) % 60) .. ':' .. two(clock % 60) .. '.'
    .. two(floor(part / 10000)) .. two(floor(part / 100) % 100) .. two(part % 100) .. 'Z'
  return iso_text
end
