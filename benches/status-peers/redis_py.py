"""The seed's separate commands for a status event, sent by PEER_CLIENTS tasks of one asyncio client of redis-py."""

import asyncio
import hashlib
import json
import os
import time

import redis.asyncio as redis

CLIENTS, EVENTS, ROUND = int(os.environ["PEER_CLIENTS"]), int(os.environ["PEER_EVENTS"]), os.environ["PEER_ROUND"]
TTL = 86400


async def report(client: redis.Redis, task: str, event: dict) -> None:
    text = json.dumps(event, ensure_ascii=False)
    token = event.get("event_id") or hashlib.sha256(json.dumps(event, sort_keys=True).encode()).hexdigest()
    if not await client.set(f"peer:event:{task}:{token}", "1", nx=True, ex=TTL):
        return
    pipe = client.pipeline()
    pipe.lpush(f"peer:history:{task}", text)
    pipe.ltrim(f"peer:history:{task}", 0, 49)
    pipe.expire(f"peer:history:{task}", TTL)
    await pipe.execute()
    await client.publish(f"peer:channel:{task}", text)
    if await client.set(f"peer-feed:event:{token}", "1", nx=True, ex=TTL):
        item = {"cursor": token, "task_id": task, "event_type": "status.running", "source_kind": "status", "payload": event}
        pipe = client.pipeline()
        pipe.lpush("peer-feed:feed", json.dumps(item, ensure_ascii=False))
        pipe.ltrim("peer-feed:feed", 0, 4999)
        pipe.expire("peer-feed:feed", TTL)
        await pipe.execute()


async def sender(client: redis.Redis, place: int) -> None:
    for number in range(place, EVENTS, CLIENTS):
        event = {
            "task_id": f"task-{ROUND}-{number // 5}",
            "status": "running",
            "event_id": f"evt-{ROUND}-{number}",
            "message": f"step {number % 5} of 5",
            "meta": {"step": number % 5, "worker": "worker-7"},
            "correlation_id": f"order-{ROUND}",
        }
        await report(client, event["task_id"], event)


async def main() -> None:
    client = redis.Redis.from_url(os.environ["PEER_URL"], max_connections=CLIENTS)
    await client.ping()
    begin = time.monotonic()
    await asyncio.gather(*(sender(client, place) for place in range(CLIENTS)))
    print(EVENTS / (time.monotonic() - begin))
    await client.aclose()


asyncio.run(main())
