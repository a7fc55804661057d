"""`rocktower view`: a window in which one strikes the tower, or watches a log."""

from __future__ import annotations

from pathlib import Path

import click

from rocktower.cli._common import fresh_seed, note, seed_option
from rocktower.cli._logs import open_log
from rocktower.errors import RocktowerError
from rocktower.tower import Grip, HammeringLog, TowerModel

__all__ = ["view"]

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.option("--tower", type=_FILE, help="Tower model (TOML) instead of the packaged one.")
@seed_option
@click.option("--striker", metavar="NAME", help="Who strikes: gentle, normal (default) or firm.")
@click.option("--grip", metavar="NAME", help="How it is held: loose, held (default) or pressed.")
@click.option(
    "--limit",
    type=click.IntRange(1, 9),
    help="Hit limit and color limit, the number of hammering trolls (default 9).",
)
@click.option("--log", type=_FILE, help="Watch the hits of a hammering log or a Trollfjord log.")
def view(
    *,
    tower: Path | None,
    seed: int | None,
    striker: str | None,
    grip: str | None,
    limit: int | None,
    log: Path | None,
) -> None:
    """Open a window: aim, strike, watch, replay. H shows all keys.

    With --log the hits of a log are played one by one, forward and back; DIVERGED is shown where
    simulating a hit again does not give what the log says.
    """
    from rocktower.viewer import LogReplay, Session, check_display, run

    if log:
        given = {"seed": seed, "striker": striker, "grip": grip, "limit": limit}
        for option, value in given.items():
            if value is not None:
                raise RocktowerError(f"--{option} is settled by the log: leave it out")
        found = open_log(log)
        if isinstance(found, HammeringLog):
            model = found.held(TowerModel.load(tower))
            run(LogReplay.of_hammering(found, model, log.name))
        else:
            run(LogReplay.of_game(found, tower, log.name))
        return
    model = TowerModel.load(tower).held(Grip.named(grip or "held"))
    check_display()
    session = Session(model, fresh_seed(seed), striker or "normal", limit or 9)
    note(f"seed {session.now.seed}")
    run(session)
