"""People who strike a server's towers until it is gone, and what they were told.

As a script: strike a server and kill it, again and again, and check that nothing is lost.

    python -m tests.server.strikers --kills 100
"""

import argparse
import json
import tempfile
from pathlib import Path
from threading import Thread
from time import sleep

import httpx2 as httpx
import numpy as np

from rocktower.server import read_served_log
from tests.server.conftest import Process, Table

SIDES = ("left", "right")


class Striker(Thread):
    """Strikes one tower as fast as it can, and keeps every answer."""

    def __init__(self, url):
        super().__init__()
        self.client = httpx.Client(base_url=url, timeout=120)
        self.table = Table(self.client)
        self.answered = []
        self.asked = 0
        self.refused = []

    def again(self, url):
        """Return a striker of the same tower at a new server, who remembers what was answered."""
        other = Striker.__new__(Striker)
        Thread.__init__(other)
        other.client = httpx.Client(base_url=url, timeout=120)
        other.table = self.table
        other.table.client = other.client
        other.answered, other.asked, other.refused = self.answered, self.asked, self.refused
        return other

    def ask(self):
        """Strike with the current key, or drop in what is outside at every fifth time."""
        key = f"key{self.asked}"
        if self.asked % 5 == 4 and sum(outside := self.answered[-1]["outside"].values()):
            outside = self.answered[-1]["outside"]
            return self.table.post("/boulders", outside, {"Idempotency-Key": key})
        return self.table.strike(SIDES[self.asked % 2], key=key)

    def run(self):
        """Repeat what was not answered with its key, as a careful client does."""
        try:
            while True:
                answer = self.ask()
                if answer.status_code != 200:
                    self.refused.append(answer.json()["error"]["code"])
                    return
                self.answered.append(answer.json())
                self.asked += 1
        except httpx.HTTPError:
            pass
        finally:
            self.client.close()


def check(strikers, url):
    """Check at a new server that all who struck find exactly what they were told."""
    for striker in strikers:
        with httpx.Client(base_url=url, timeout=120) as client:
            striker.table.client = client
            events = striker.table.events()
            assert events[: len(striker.answered)] == striker.answered
            # At most one more has happened: the one that was under way.
            assert len(events) - len(striker.answered) in (0, 1)
            tower = striker.table.read()
            assert tower["n"] == len(events)
            assert [event["n"] for event in events] == list(range(1, len(events) + 1))
            assert not events or tower["inside"] == events[-1]["inside"]


def verify(striker, url):
    """Close a tower, and check that its log replays from its seed."""
    with httpx.Client(base_url=url, timeout=120) as client:
        striker.table.client = client
        striker.table.close()
        log = read_served_log(striker.table.log())
        assert log.is_committed
        events = list(log.verify())
        assert all(event.agrees for event in events)
        return len(events)


def kill_again_and_again(begin, kills, rng):
    """Kill a server while it is struck; return how many strikes were answered in all."""
    server = begin()
    strikers = [Striker(server.url) for _ in range(3)]
    for _ in range(kills):
        for striker in strikers:
            striker.start()
        # After some answers, at any moment of what a strike takes.
        wanted = sum(len(striker.answered) for striker in strikers) + rng.integers(1, 12)
        while sum(len(striker.answered) for striker in strikers) < wanted:
            sleep(0.005)
        sleep(rng.uniform(0.0, 0.1))
        server.kill()
        for striker in strikers:
            striker.join()
            assert not striker.refused, striker.refused
        server = begin()
        check(strikers, server.url)
        strikers = [striker.again(server.url) for striker in strikers]
    verified = sum(verify(striker, server.url) for striker in strikers)
    answered = sum(len(striker.answered) for striker in strikers)
    server.kill()
    return answered, verified


def main():
    """Kill a server many times."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", default="towers.db")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        answered, verified = kill_again_and_again(
            lambda: Process(Path(folder), "--database", options.database),
            options.kills,
            np.random.default_rng(options.seed),
        )
    print(json.dumps({"kills": options.kills, "events_answered": answered, "verified": verified}))


if __name__ == "__main__":
    main()
