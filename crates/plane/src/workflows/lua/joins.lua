-- purpose: Brings a branch to a stage that joins several, and lets the stage go once, when its rule is met.
-- gives: known_branch, open_join, expected_of, settle, arrive
-- writes: 16
-- A field `branch:<name>` is the branch's result; empty while it is awaited. `at:<name>` says when it came, in which call, and
-- what that call was told. Until the expected branches are known, any may come.
local function known_branch(at, facts, branch)
  local known = redis.call('HMGET', places[at * 2 - 1], 'rule', 'expected', 'branch:' .. branch)
  if known[1] then
    return not known[2] or known[3] ~= false
  end
  if not facts.expected then
    return true
  end
  for _, name in ipairs(facts.expected) do
    if name == branch then
      return true
    end
  end
  return false
end
local function expected_of(at, names)
  local arrived = 0
  for _, name in ipairs(names) do
    local came = redis.call('HMGET', places[at * 2 - 1], 'branch:' .. name, 'at:' .. name)
    if not came[1] then
      redis.call('HSET', places[at * 2 - 1], 'branch:' .. name, '')
    elseif came[1] ~= '' and not (came[2] or ''):find(' !lost ', 1, true) then
      arrived = arrived + 1
    end
  end
  redis.call('HSET', places[at * 2 - 1], 'expected', digits(#names), 'arrived', digits(arrived))
end
local function open_join(at, facts, us, ms)
  if redis.call('HEXISTS', places[at * 2 - 1], 'rule') == 1 then
    return
  end
  local deadline = digits(ms + facts.deadline)
  redis.call('HSET', places[at * 2 - 1], 'rule', facts.rule, 'need', facts.need or 0, 'arrived', 0, 'lost', 0, 'since', iso(us),
    'deadline', deadline)
  redis.call('PEXPIRE', places[at * 2 - 1], facts.keep)
  redis.call('ZADD', agenda, deadline, 'join ' .. task .. ' ' .. facts.stage)
  redis.call('HINCRBY', run, 'open', 1)
  if facts.expected then
    expected_of(at, facts.expected)
  end
end
-- Whether the stage is let go now: `fired`, `waiting`, or `impossible` where its rule can no longer be met.
local function settle(at, facts, us, ms, due)
  local known = redis.call('HMGET', places[at * 2 - 1], 'expected', 'arrived', 'lost', 'fired')
  local expected, arrived, lost = tonumber(known[1]), tonumber(known[2]) or 0, tonumber(known[3]) or 0
  if known[4] then
    return 'late'
  end
  local all, rule = expected and arrived + lost >= expected and arrived > 0, facts.rule
  local why
  if (rule == 'any' and arrived > 0) or (rule == 'at_least' and arrived >= facts.need) or ((rule == 'all' or rule == 'deadline') and all) then
    why = rule
  elseif due and rule == 'deadline' then
    why = 'deadline'
  elseif due or (expected and (lost >= expected or (rule == 'at_least' and expected - lost < facts.need))) then
    return 'impossible'
  else
    return 'waiting'
  end
  redis.call('HSET', places[at * 2 - 1], 'fired', iso(us), 'fired_by', why, 'fired_with', digits(arrived))
  redis.call('ZREM', agenda, 'join ' .. task .. ' ' .. facts.stage)
  redis.call('HINCRBY', run, 'open', -1)
  activate(at, facts, ms)
  return 'fired'
end
-- What to tell: `fired`, `waiting`, `impossible`, `late`, or what a repeated call was told, with `duplicate` for another call.
local function arrive(at, facts, branch, result, lost, call, us, ms)
  local came = redis.call('HMGET', places[at * 2 - 1], 'at:' .. branch, 'fired')
  if came[1] then
    local asked, told = came[1]:match('^%d+ (%S+) (%S+)$')
    return asked == call and call ~= '!lost' and told or 'duplicate'
  end
  local told = 'late'
  if came[2] then
    redis.call('HSET', places[at * 2 - 1], 'late:' .. branch, result)
  else
    open_join(at, facts, us, ms)
    redis.call('HSET', places[at * 2 - 1], 'branch:' .. branch, result)
    redis.call('HINCRBY', places[at * 2 - 1], lost and 'lost' or 'arrived', 1)
    told = settle(at, facts, us, ms, false)
  end
  redis.call('HSET', places[at * 2 - 1], 'at:' .. branch, digits(ms) .. ' ' .. call .. ' ' .. told)
  return told
end
