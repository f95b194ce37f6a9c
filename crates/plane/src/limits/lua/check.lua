#!lua
-- purpose: Takes from several limits at once, or says why not and when.
-- guarantee: All of them or none; within any window of a limit's length no more than the limit is accepted; every key expires.
-- keys:
--   limits  quorate.limits
-- keys-rest: counters ade.rate_limit   and quorate.limit_window, one pair for each limit
-- args:
--   take  integer  1 to take, 0 to look only
-- rest: wishes
-- returns: { "allowed" | "limited" | "seen", when in microseconds, { fits, limit, window, used, left, retry, reset }, … } | { "refused", reason, … }
-- writes: 5
-- use: now, digits, guard_type
-- layout: plain-only, tagged counterpart check_tagged

-- A window is cut into a hundred parts with a count each. What is accepted now is added to all that was accepted in this
-- part and the whole hundred before it, which together are never shorter than the window: the answer may come a hundredth
-- of the window late, and never early.
local us, ms = now()
local refusal = guard_type(limits, 'hash')
for place, key in ipairs(counters) do
  refusal = refusal or guard_type(key, place % 2 == 1 and 'string' or 'hash')
end
if refusal then
  return refusal
end
local function load(place)
  local endpoint, cost, limit, window = wishes[place * 4 - 3], tonumber(wishes[place * 4 - 2]), tonumber(wishes[place * 4 - 1]), tonumber(wishes[place * 4])
  if not limit then
    limit, window = (redis.call('HGET', limits, endpoint) or '0 60000'):match('^(%d+) (%d+)$')
    limit, window = tonumber(limit or '0'), math.max(1, tonumber(window or '60000'))
  end
  local one = { cost = cost, limit = limit, window = window, width = math.max(1, math.ceil(window / 100)), used = 0, parts = {}, old = {} }
  one.span = math.ceil(window / one.width)
  one.now = math.floor(ms / one.width)
  -- Another width makes other parts: what was counted under an earlier configuration is put into the part it fell in last.
  local kept, shown, width = redis.call('HGETALL', counters[place * 2]), 0, one.width
  for field = 1, #kept, 2 do
    if kept[field] == 'm' then
      shown = tonumber(kept[field + 1])
    elseif kept[field] == 'w' then
      width = tonumber(kept[field + 1])
    end
  end
  one.moved = width ~= one.width
  for field = 1, #kept, 2 do
    local part, count = tonumber(kept[field]), tonumber(kept[field + 1])
    if part then
      local own = one.moved and math.floor(((part + 1) * width - 1) / one.width) or part
      if own < one.now - one.span then
        one.old[#one.old + 1] = kept[field]
      else
        one.used = one.used + count
        one.parts[own] = (one.parts[own] or 0) + count
      end
    end
  end
  -- What other clients counted since is theirs, and counts now.
  local seed = tonumber(redis.call('GET', counters[place * 2 - 1]) or '0') or 0
  one.foreign = math.max(0, seed - shown)
  one.used = one.used + one.foreign
  one.parts[one.now] = (one.parts[one.now] or 0) + one.foreign
  one.fits = limit == 0 or one.used + cost <= limit
  return one
end
local function retry(one)
  if one.fits then
    return 0
  end
  if one.cost > one.limit then
    return -1
  end
  local numbers, left = {}, one.used
  for part in pairs(one.parts) do
    numbers[#numbers + 1] = part
  end
  table.sort(numbers)
  for _, part in ipairs(numbers) do
    left = left - one.parts[part]
    if left + one.cost <= one.limit then
      return (part + one.span + 1) * one.width - ms
    end
  end
  return 0
end
local all, fits = {}, true
for place = 1, #counters / 2 do
  all[place] = load(place)
  fits = fits and all[place].fits
end
local answer = { take == 0 and 'seen' or fits and 'allowed' or 'limited', digits(us) }
for place, one in ipairs(all) do
  if take == 1 and fits and one.cost > 0 then
    one.used, one.parts[one.now] = one.used + one.cost, one.parts[one.now] + one.cost
    local expires = (one.span + 1) * one.width
    if one.moved then
      redis.call('DEL', counters[place * 2])
    elseif #one.old > 0 then
      redis.call('HDEL', counters[place * 2], unpack(one.old))
    end
    local fields = { 'm', digits(one.used), 'w', digits(one.width) }
    for part, count in pairs(one.moved and one.parts or { [one.now] = one.parts[one.now] }) do
      fields[#fields + 1], fields[#fields + 2] = digits(part), digits(count)
    end
    redis.call('HSET', counters[place * 2], unpack(fields))
    redis.call('PEXPIRE', counters[place * 2], expires)
    redis.call('SET', counters[place * 2 - 1], digits(one.used), 'PX', expires)
  end
  local newest = one.now
  answer[#answer + 1] = { one.fits and 1 or 0, digits(one.limit), digits(one.window), digits(one.used),
    digits(math.max(0, one.limit - one.used)), digits(retry(one)), digits(one.used == 0 and 0 or (newest + one.span + 1) * one.width - ms) }
end
return answer
