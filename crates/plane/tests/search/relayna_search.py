"""A client of the search keys as Relayna's backend uses them: one command at a time, sets and JSON texts."""

import base64
import json
import sys

import redis

PREFIX = "studio:search:task"
FIELDS = ("service_id", "task_id", "correlation_id", "status", "stage")


def name_of(service, task):
    both = json.dumps({"service_id": service, "task_id": task}, sort_keys=True, separators=(",", ":"))
    return base64.urlsafe_b64encode(both.encode()).decode()


def sets_of(document):
    yield f"{PREFIX}:service:{document['service_id']}"
    for field in FIELDS:
        if document.get(field):
            yield f"{PREFIX}:filter:{field}:{document[field]}"


def drop(store, service, task):
    name = name_of(service, task)
    known = store.get(f"{PREFIX}:doc:{name}")
    for key in sets_of(json.loads(known)) if known else ():
        store.srem(key, name)
    store.delete(f"{PREFIX}:doc:{name}")
    store.srem(f"{PREFIX}:all", name)


def put(store, document):
    drop(store, document["service_id"], document["task_id"])
    name = name_of(document["service_id"], document["task_id"])
    store.set(f"{PREFIX}:doc:{name}", json.dumps(document))
    store.sadd(f"{PREFIX}:all", name)
    for key in sets_of(document):
        store.sadd(key, name)


def find(store, filters):
    names = set.intersection(*(store.smembers(f"{PREFIX}:filter:{field}:{value}") for field, value in filters.items()))
    return sorted(json.loads(store.get(f"{PREFIX}:doc:{name}"))["task_id"] for name in names)


def main():
    store = redis.Redis.from_url(sys.argv[1], decode_responses=True)
    verbs = {"put": put, "drop": drop, "find": find}
    print(json.dumps([verbs[verb](store, *rest) for verb, *rest in json.loads(sys.argv[2])]))


main()
