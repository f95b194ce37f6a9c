"""A client in Relayna's shape, for a test: its commands on its keys, one after the other, as its readers and writers send them.

It reads a list of [verb, argument, ...] from standard input and writes a list of answers.
"""

import hashlib
import json
import sys

import redis

STATUS, OBSERVATIONS, FEED, TTL = "relayna", "relayna-observations", "relayna-service-events", 86400
client = redis.Redis.from_url(sys.argv[1], decode_responses=True)


def known_by(event: dict) -> str:
    return hashlib.sha256(json.dumps(event, ensure_ascii=False, sort_keys=True).encode()).hexdigest()


def offer(cursor: str, item: dict) -> None:
    if client.set(f"{FEED}:event:{cursor}", "1", nx=True, ex=TTL):
        client.lpush(f"{FEED}:feed", json.dumps({"cursor": cursor, **item}, separators=(",", ":")))
        client.ltrim(f"{FEED}:feed", 0, 4999)
        client.expire(f"{FEED}:feed", TTL)


def report(task: str, event: dict) -> bool:
    token = (event.get("event_id") or "").strip() or known_by(event)
    if not client.set(f"{STATUS}:event:{task}:{token}", "1", nx=True, ex=TTL):
        return False
    pipe = client.pipeline()
    pipe.lpush(f"{STATUS}:history:{task}", json.dumps(event, ensure_ascii=False))
    pipe.ltrim(f"{STATUS}:history:{task}", 0, 49)
    pipe.expire(f"{STATUS}:history:{task}", TTL)
    parent = (event.get("meta") or {}).get("parent_task_id")
    if parent and parent != task:
        pipe.sadd(f"{STATUS}:children:{parent}", task)
        pipe.expire(f"{STATUS}:children:{parent}", TTL)
    pipe.execute()
    client.publish(f"{STATUS}:channel:{task}", json.dumps(event, ensure_ascii=False))
    kind = {"task_id": task, "event_type": f"status.{event['status'].lower()}", "source_kind": "status"}
    offer(event.get("event_id") or token, {**kind, "payload": event})
    return True


def observe(task: str, event: dict) -> bool:
    if not client.set(f"{OBSERVATIONS}:event:{task}:{known_by(event)}", "1", nx=True, ex=TTL):
        return False
    client.lpush(f"{OBSERVATIONS}:history:{task}", json.dumps(event, ensure_ascii=False))
    client.ltrim(f"{OBSERVATIONS}:history:{task}", 0, 499)
    client.expire(f"{OBSERVATIONS}:history:{task}", TTL)
    return True


VERBS = {
    "report": report,
    "observe": observe,
    "latest": lambda task: json.loads(client.lindex(f"{STATUS}:history:{task}", 0) or "null"),
    "history": lambda task: [json.loads(item) for item in client.lrange(f"{STATUS}:history:{task}", 0, 49)],
    "observations": lambda task: [json.loads(item) for item in client.lrange(f"{OBSERVATIONS}:history:{task}", 0, 499)],
    "children": lambda task: sorted(client.smembers(f"{STATUS}:children:{task}")),
    "feed": lambda: [json.loads(item) for item in client.lrange(f"{FEED}:feed", 0, 99)],
}
print(json.dumps([VERBS[verb](*words) for verb, *words in json.load(sys.stdin)]))
