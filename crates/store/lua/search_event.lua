-- purpose: What the search knows of a task after an event of it: the newest event decides, whenever it comes in.
-- gives: search_event
-- writes: 0
-- `said` has service_id, service_name, environment, task_id and detail_path, and what the event has of correlation_id, status,
-- stage, event_type and `at`, its time in Unix microseconds as text. No time is later than the server's. It gives a function
-- that writes, or a refusal. Relayna writes moments with a fraction or without one; they are compared by their digits.
local function search_event(index, id, said, ttl)
  local old, wrong = search_document(id)
  local us, ms = now()
  local at = math.min(tonumber(said.at) or us, us)
  local function digits_of(text)
    local whole, part = (type(text) == 'string' and text or ''):match('^(%d+%-%d+%-%d+T%d+:%d+:%d+)%.?(%d*)Z$')
    return whole and whole .. '.' .. (part .. '000000'):sub(1, 6) or ''
  end
  local new, stamp = {}, iso(at)
  for field, value in pairs(old) do
    new[field] = value
  end
  for _, field in ipairs({ 'service_id', 'service_name', 'environment', 'task_id', 'detail_path' }) do
    new[field] = said[field]
  end
  local first, last = digits_of(old.first_seen_at), digits_of(old.last_seen_at)
  local newest = digits_of(stamp) >= digits_of(old.latest_event_at)
  for _, field in ipairs({ 'correlation_id', 'status', 'stage' }) do
    if said[field] and (newest or type(old[field]) ~= 'string') then
      new[field] = said[field]
    end
  end
  new.latest_event_type = newest and said.event_type or old.latest_event_type
  new.latest_event_at = newest and stamp or old.latest_event_at
  new.first_seen_at = (first == '' or digits_of(stamp) < first) and stamp or old.first_seen_at
  new.last_seen_at = digits_of(stamp) >= last and stamp or old.last_seen_at
  new.latest_ingested_at, new.expires_at = iso(us), iso(us + ttl * 1000000)
  local known = not wrong and redis.pcall('ZSCORE', search_view(index .. ':all'), id)
  local seen = digits_of(stamp) < last and tonumber(type(known) == 'string' and known) or math.floor(at / 1000)
  local put, bad = search_swap(index, id, old, new)
  return function()
    put(cjson.encode(new), string.format('%.0f', seen), string.format('%.0f', ms + ttl * 1000))
  end, wrong or bad
end
