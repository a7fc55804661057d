"""`rocktower serve`: towers for several people at once, over HTTP."""

from __future__ import annotations

import click

from rocktower.cli._common import FiniteRange, note
from rocktower.cli._workers import processors
from rocktower.server import DAY, Settings
from rocktower.server import serve as run

__all__ = ["serve"]

_DEFAULT = Settings()


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 takes any."
)
@click.option(
    "--database",
    default=_DEFAULT.database,
    show_default=True,
    metavar="FILE|URL",
    help="Where towers are kept: a file (SQLite), or the URL of another database.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    metavar="N",
    help="Processes that simulate; all processors if not given.",
)
@click.option(
    "--max-towers",
    type=click.IntRange(1),
    default=_DEFAULT.max_towers,
    show_default=True,
    metavar="N",
    help="Towers kept at once.",
)
@click.option(
    "--expire",
    type=FiniteRange(0.001, 36_500.0),
    default=_DEFAULT.expire / DAY,
    show_default=True,
    metavar="DAYS",
    help="Forget towers that nobody has struck for so long.",
)
@click.option(
    "--rate",
    type=FiniteRange(0.01, 1e6),
    default=_DEFAULT.rate,
    show_default=True,
    metavar="N",
    help="Requests a second with one token; twice as many may come at once.",
)
@click.option(
    "--creations",
    type=FiniteRange(0.01, 1e6),
    default=_DEFAULT.creations,
    show_default=True,
    metavar="N",
    help="New towers an hour from one address; a third of them may come at once.",
)
@click.option(
    "--simulation-time",
    type=FiniteRange(0.1, 600.0),
    default=_DEFAULT.simulation_time,
    show_default=True,
    metavar="S",
    help="Longest time that one strike may be simulated.",
)
@click.option(
    "--behind-proxy",
    is_flag=True,
    help="Believe a reverse proxy on this machine when it says who its clients are.",
)
def serve(
    *,
    host: str,
    port: int,
    database: str,
    workers: int | None,
    max_towers: int,
    expire: float,
    rate: float,
    creations: float,
    simulation_time: float,
    behind_proxy: bool,
) -> None:
    """Serve towers to players and spectators, and the page on which they strike them.

    The server simulates, so that everybody sees the same hit. It listens on this machine only
    unless told otherwise, and stops in good order at Ctrl-C.
    """
    settings = Settings(
        database=database,
        workers=workers or processors(),
        max_towers=max_towers,
        expire=expire * DAY,
        rate=rate,
        burst=max(1, round(2 * rate)),
        creations=creations,
        creations_burst=max(1, round(creations / 3)),
        simulation_time=simulation_time,
    )

    def ready(address: str) -> None:
        note(f"rocktower: serving on {address} (Ctrl-C stops)")

    run(settings, host, port, is_behind_proxy=behind_proxy, ready=ready)
