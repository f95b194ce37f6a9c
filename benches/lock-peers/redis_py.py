"""redis-py's Lock as it comes: PEER_CLIENTS threads take one lock and release it again for PEER_SECONDS.

At first as fast as each can, and then each once a round, where a round ends when all have had it. Prints pairs a second of
the first, how often a second the lock went from one client to another in it, and pairs a second of the rounds.
"""

import os
import threading
import time

import redis

CLIENTS, RUN = int(os.environ["PEER_CLIENTS"]), float(os.environ["PEER_SECONDS"])
HOLDER, PASSED = [-1], [0]


def pair(client: redis.Redis, place: int) -> None:
    with client.lock("peer:redis-py", timeout=10):
        PASSED[0] += HOLDER[0] != place
        HOLDER[0] = place


def freely(client: redis.Redis, place: int, end: float, _: threading.Barrier) -> int:
    done = 0
    while time.monotonic() < end:
        pair(client, place)
        done += 1
    return done


def in_rounds(client: redis.Redis, place: int, end: float, barrier: threading.Barrier) -> int:
    done, over = 0, False
    while not over:
        pair(client, place)
        done += 1
        # Everybody has to come to the same answer, so only the first of all looks at the clock.
        if barrier.wait() == 0:
            OVER[0] = time.monotonic() >= end
        barrier.wait()
        over = OVER[0]
    return done


OVER = [False]


def rate(one) -> float:
    counts, started = [0] * CLIENTS, time.monotonic()
    barrier = threading.Barrier(CLIENTS)

    def run(place: int) -> None:
        client = redis.Redis.from_url(os.environ["PEER_URL"].removeprefix("redis+"))
        counts[place] = one(client, place, started + RUN, barrier)

    threads = [threading.Thread(target=run, args=(place,)) for place in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts) / (time.monotonic() - started)


free = rate(freely)
passed = PASSED[0] / RUN
print(free, passed, rate(in_rounds))
