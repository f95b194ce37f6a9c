-- purpose: What a stream and its groups say of themselves.
-- gives: facts, before, survey, groups_of
-- writes: 0
-- Ids are compared as text, for a foreign client may choose numbers that Lua does not hold.
local function facts(flat)
  local named = {}
  for place = 1, #flat, 2 do
    named[flat[place]] = flat[place + 1]
  end
  return named
end
local function before(one, other)
  local ms, seq = one:match('^(%d+)-(%d+)$')
  local other_ms, other_seq = other:match('^(%d+)-(%d+)$')
  if #ms ~= #other_ms then
    return #ms < #other_ms
  elseif ms ~= other_ms then
    return ms < other_ms
  elseif #seq ~= #other_seq then
    return #seq < #other_seq
  end
  return seq < other_seq
end
local function survey()
  if redis.call('EXISTS', stream) == 0 then
    return nil
  end
  local known = facts(redis.call('XINFO', 'STREAM', stream))
  local first = known['first-entry']
  return { added = known['entries-added'], length = known.length, gone = known['entries-added'] - known.length,
    first = first and first[1], last = known['last-generated-id'] }
end
local function groups_of()
  local all = {}
  for _, flat in ipairs(redis.call('XINFO', 'GROUPS', stream)) do
    local group = facts(flat)
    all[#all + 1] = { name = group.name, pending = group.pending, last = group['last-delivered-id'],
      read = group['entries-read'] or nil }
  end
  return all
end
