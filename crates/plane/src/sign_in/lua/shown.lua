-- purpose: How ade's record of a session shows a role: the array of roles, and the array of what it allows.
-- gives: shown
-- writes: 0
local function shown(role)
  local allows = {
    viewer = '["read"]',
    agent = '["read","work"]',
    operator = '["read","work","operate"]',
    reviewer = '["read","review"]',
    admin = '["read","work","operate","review","admin"]',
  }
  return '["' .. role .. '"]', allows[role] or '[]'
end
