-- purpose: Records a sign of life of an agent in every system that has a word for it.
-- gives: beat
-- writes: 7
local function beat(keys, agent, epoch, us, ms, lease_ms, texts)
  local until_ms = ms + lease_ms
  local seconds = string.format('%.6f', us / 1000000)
  redis.call('HSET', keys.record, 'lease_until', texts(until_ms), 'dead_at', texts(ms + 600000))
  redis.call('PEXPIRE', keys.record, 604800000)
  redis.call('HSET', keys.session, 'last_heartbeat', seconds, 'last_acked_at', seconds, 'epoch', epoch,
    'lease_until', string.format('%.3f', until_ms / 1000))
  redis.call('PEXPIRE', keys.session, 600000)
  redis.call('ZADD', keys.index, seconds, agent)
  redis.call('ZADD', keys.leases, texts(until_ms), agent)
  redis.call('SET', keys.presence, 'online', 'EX', 60)
  return until_ms
end
