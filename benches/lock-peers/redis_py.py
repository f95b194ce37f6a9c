"""redis-py's Lock as it comes: PEER_CLIENTS threads take one lock and release it again for PEER_SECONDS.

Prints pairs a second, what they would be if everybody had got as many as whoever got the fewest, and how often a second the
lock went from one client to another.
"""

import os
import threading
import time

import redis

CLIENTS, RUN = int(os.environ["PEER_CLIENTS"]), float(os.environ["PEER_SECONDS"])
END = time.monotonic() + RUN
COUNTS = [0] * CLIENTS
HOLDER, PASSED = [-1], [0]


def contend(place: int) -> None:
    client = redis.Redis.from_url(os.environ["PEER_URL"].removeprefix("redis+"))
    while time.monotonic() < END:
        with client.lock("peer:redis-py", timeout=10):
            PASSED[0] += HOLDER[0] != place
            HOLDER[0] = place
        COUNTS[place] += 1


threads = [threading.Thread(target=contend, args=(place,)) for place in range(CLIENTS)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(sum(COUNTS) / RUN, min(COUNTS) * CLIENTS / RUN, PASSED[0] / RUN)
