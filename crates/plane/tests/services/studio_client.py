"""A backend in the shape of Relayna's studio, for a test: its commands on its keys, one after the other.

It reads a list of [verb, argument, ...] from standard input and writes a list of answers.
"""

import json
import sys

import redis

SERVICES, EVENTS, HEALTH, TTL = "studio:services", "studio:events", "studio:health", 86400
client = redis.Redis.from_url(sys.argv[1], decode_responses=True)


def create(record: dict) -> bool:
    by_id = f"{SERVICES}:by-id:{record['service_id']}"
    if not client.set(by_id, json.dumps(record), nx=True):
        return False
    place = f"{SERVICES}:by-env-url:{record['environment']}:{record['base_url']}"
    if not client.set(place, record["service_id"], nx=True):
        client.delete(by_id)
        return False
    client.sadd(f"{SERVICES}:all", record["service_id"])
    return True


def insert(service: str, event: dict) -> bool:
    name = f"{service}:{event['source_kind']}:{event['event_id']}"
    task, kind = event["task_id"], event["source_kind"]
    document = {**event, "service_id": service, "ingest_method": "pull", "dedupe_key": name}
    document |= {"ingested_at": "2026-04-06T10:00:00+00:00", "out_of_order": False}
    if not client.set(f"{EVENTS}:event:{name}", json.dumps(document), nx=True, ex=TTL):
        return False
    pipe = client.pipeline()
    for history in (f"{EVENTS}:service:{service}:history", f"{EVENTS}:task:{service}:{task}:history"):
        pipe.lpush(history, name)
        pipe.ltrim(history, 0, 4999)
        pipe.expire(history, TTL)
    for latest in (f"task:{service}:{task}:latest", f"service:{service}:latest-{kind}"):
        pipe.set(f"{EVENTS}:{latest}-timestamp", event["timestamp"], ex=TTL)
    pipe.set(f"{EVENTS}:service:{service}:latest-ingested-timestamp", document["ingested_at"], ex=TTL)
    pipe.execute()
    return True


def events(service: str) -> list:
    names = client.lrange(f"{EVENTS}:service:{service}:history", 0, 4999)
    return [json.loads(text) for text in map(client.get, (f"{EVENTS}:event:{name}" for name in names)) if text]


VERBS = {
    "create": create,
    "insert": insert,
    "events": events,
    "services": lambda: sorted(client.smembers(f"{SERVICES}:all")),
    "service": lambda service: json.loads(client.get(f"{SERVICES}:by-id:{service}") or "null"),
    "health": lambda service: json.loads(client.get(f"{HEALTH}:{service}") or "null"),
    "cursor": lambda service: client.get(f"{EVENTS}:pull-cursor:{service}"),
    "latest": lambda service, task: client.get(f"{EVENTS}:task:{service}:{task}:latest-timestamp"),
}
print(json.dumps([VERBS[verb](*words) for verb, *words in json.load(sys.stdin)]))
