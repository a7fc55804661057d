"""What whoever runs a server decides: where it keeps its towers, and what it allows."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["DAY", "Settings"]

DAY = 86_400.0
"""s."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Limits of a server; the defaults suit some tables of friends on a small machine.

    Parameters
    ----------
    database
        A file for SQLite, or a URL that SQLAlchemy understands.
    workers
        Processes that simulate.
    max_towers
        Towers kept at once; further ones are refused.
    expire
        Time after which an unused tower is forgotten, s.
    rate, burst
        Requests a second for each token, and how many may come at once.
    creations, creations_burst
        Towers that one address may create in an hour, and at once.
    max_body
        Largest request, bytes.
    body_time
        Longest time that a request's body may take to arrive, s.
    simulation_time
        Longest time that one event may be simulated, s of the clock.
    max_waiting
        Events of all towers that may wait for a worker; further ones are refused.
    max_events
        Events of one tower.
    max_watchers, max_watchers_of_one
        Open streams in all, and of one tower.
    watcher_queue
        Messages that a slow spectator may be behind before being dropped.
    token_time
        Longest time that a stream's first message may take, s.
    """

    database: str = "rocktower-towers.db"
    workers: int = 1
    max_towers: int = 1000
    expire: float = 30.0 * DAY
    rate: float = 20.0
    burst: int = 40
    creations: float = 60.0
    creations_burst: int = 20
    max_body: int = 65_536
    body_time: float = 10.0
    simulation_time: float = 5.0
    max_waiting: int = 200
    max_events: int = 2000
    max_watchers: int = 1000
    max_watchers_of_one: int = 50
    watcher_queue: int = 32
    token_time: float = 5.0
