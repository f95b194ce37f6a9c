#!lua flags=allow-oom
-- purpose: Takes runs out of the lists whose records have expired.
-- guarantee: Only those that ended 30 days ago or longer.
-- keys:
-- reaches:
--   view  quorate.workflow_view
-- args:
--   state  text  completed, failed or cancelled
-- returns: { "pruned", how many }
-- writes: 1
-- use: now, digits
-- layout: plain-only, tagged counterpart prune_tagged

local _, ms = now()
return { 'pruned', digits(redis.call('ZREMRANGEBYSCORE', view(state), '-inf', digits(ms - 2592000000))) }
