#!lua
-- purpose: Gives a new deployment its layout, or says which one it has.
-- guarantee: Of several processes that start at once, all see one layout, and it never changes.
-- keys:
--   meta        quorate.meta
-- args:
--   layout      text      plain or tagged
--   deployment  text      a random id, used only when the deployment is new
--   format      integer   the catalog format
-- returns: { "made" | "held" | "damaged", layout }
-- writes: 1
-- use: guard_type, now, iso
-- layout: any

local refusal = guard_type(meta, 'hash')
if refusal then
  return refusal
end
local held = redis.call('HGET', meta, 'layout')
if held then
  return { 'held', held }
end
if redis.call('EXISTS', meta) == 1 then
  return { 'damaged', '' }
end
redis.call('HSET', meta, 'layout', layout, 'deployment', deployment, 'created_at', iso(now()), 'format', format)
return { 'made', layout }
