#!lua flags=allow-oom
-- purpose: Takes a page of sessions that have ended out of the lists.
-- guarantee: It never touches one that still lets somebody in; any number of processes may run it.
-- keys:
--   logins  quorate.logins
-- reaches:
--   session  ade.login_session
--   login    quorate.login
--   index    ade.login_sessions_by_user
-- args: none
-- returns: how many
-- writes: 3
-- use: now, guard_type, lapse
-- layout: plain-only, tagged counterpart sweep_tagged

if guard_type(logins, 'zset') then
  return 0
end
local _, ms = now()
return lapse(ms, 200)
