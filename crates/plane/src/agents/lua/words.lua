-- purpose: The sets by which agents are found, from the words of a record: `r:<role>` and `c:<capability>`.
-- gives: new_words, word_sets, guard_sets, join, leave
-- writes: 2
-- What is not stated stays: a role replaces the role, capabilities replace the capabilities.
local function new_words(kept, role, capabilities)
  local words, given = {}, #capabilities
  for kind, name in string.gmatch(kept, '(%a):(%S+)') do
    if kind == 'r' and role == '' then
      role = name
    elseif kind == 'c' and given == 0 then
      capabilities[#capabilities + 1] = name
    end
  end
  if role ~= '' then
    words[1] = 'r:' .. role
  end
  for _, name in ipairs(capabilities) do
    words[#words + 1] = 'c:' .. name
  end
  return table.concat(words, ' ')
end
local function word_sets(words)
  local sets = {}
  for kind, name in string.gmatch(words, '(%a):(%S+)') do
    sets[#sets + 1] = kind == 'r' and by_role(name) or by_capability(name)
  end
  return sets
end
local function guard_sets(sets, guard_type)
  for _, set in ipairs(sets) do
    local refusal = guard_type(set, 'zset')
    if refusal then return refusal end
  end
end
local function join(sets, agent)
  for _, set in ipairs(sets) do redis.call('ZADD', set, 0, agent) end
end
local function leave(sets, agent)
  for _, set in ipairs(sets) do redis.call('ZREM', set, agent) end
end
