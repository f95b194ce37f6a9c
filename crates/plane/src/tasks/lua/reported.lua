-- purpose: What another client reported last, where it counts and not what is in our record; nil otherwise.
-- gives: reported
-- writes: 0
-- What cannot be read says nothing, and an event without a time is older than all others.
local function reported(head, known)
  if ours(head) then
    return nil
  end
  local sound, event = pcall(cjson.decode, head)
  if not sound or type(event) ~= 'table' or type(event.status) ~= 'string' then
    return nil
  end
  local meta = type(event.meta) == 'table' and event.meta or {}
  local function number(said)
    return type(said) == 'number' and said >= 0 and said < 4294967296 and said % 1 == 0 and said or 0
  end
  local attempt = math.max(number(meta.retry_attempt), number(meta.attempt))
  local status = event.status:match('^%s*(.-)%s*$')
  local word = status:lower()
  local ended = (word == 'completed' or word == 'failed') and '1' or '0'
  local at = type(event.timestamp) == 'string' and instant(event.timestamp) or 0
  if known then
    local before = tonumber(known[2])
    if attempt < before or (attempt == before and (known[3] == '1' or (ended == '0' and at < tonumber(known[4])))) then
      return nil
    end
  end
  return { '', string.format('%.0f', attempt), ended, string.format('%.0f', math.max(0, at)), status }
end
