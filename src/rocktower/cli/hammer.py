"""`rocktower hammer`: fill the tower, strike it, tell what fell out."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rocktower.cli._common import (
    FiniteRange,
    any_tower_option,
    cover_option,
    grip_option,
    striker_option,
)
from rocktower.errors import RocktowerError
from rocktower.files import check_new_file, new_file
from rocktower.randomness import check_seed, new_seed
from rocktower.tower import (
    COLORS,
    Outcome,
    RockTower,
    Strike,
    check_filled,
    check_side,
    choose_tower,
    log_header,
    log_line,
)

if TYPE_CHECKING:
    from rocktower.tower import StrikeResult, TowerState

__all__ = ["hammer"]


@dataclass(frozen=True, slots=True)
class _Struck:
    number: int
    strike: Strike
    result: StrikeResult


@click.command()
@click.option(
    "--hits",
    default=9,
    show_default=True,
    metavar="N",
    type=click.IntRange(1, 10_000),
    help="How often to strike.",
)
@click.option("--seed", type=int, metavar="N", help="Repeat a run; printed with every result.")
@striker_option
@grip_option
@cover_option
@click.option(
    "--side", metavar="SIDE", help="left, right or alternate; the striker's habit if not given."
)
@click.option(
    "--speed",
    type=float,
    metavar="M/S",
    help="Speed of the hammer, 0 to 20 m/s; the striker's if not given.",
)
@click.option(
    "--height",
    type=float,
    metavar="M",
    help="Height of the blow above the table, m; the striker's if not given.",
)
@any_tower_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--log",
    "log_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write a hammering log (JSON Lines) to a new file.",
)
@click.option(
    "--movie",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Draw the hits into a new file: .gif, .mp4, or the end of the last one as .png.",
)
@click.option(
    "--movie-rate",
    type=FiniteRange(0.05, 1.0),
    default=0.25,
    show_default=True,
    metavar="RATE",
    help="Speed of the movie; 1 is real time.",
)
def hammer(
    *,
    hits: int,
    seed: int | None,
    striker: str | None,
    grip: str,
    cover: float | None,
    side: str | None,
    speed: float | None,
    height: float | None,
    tower_file: Path | None,
    as_json: bool,
    log_file: Path | None,
    movie: Path | None,
    movie_rate: float,
) -> None:
    """Fill the tower, strike it, and tell which boulders fell out."""
    if side not in (None, "alternate"):
        check_side(side)
    seed = new_seed() if seed is None else check_seed(seed)
    model, person = choose_tower(tower_file, seed, striker=striker, grip=grip)
    model = model.held(cover=cover)
    trial = Strike("left", 1.0 if speed is None else speed, 1e-3 if height is None else height)
    model.check_strike(trial)
    if isnan(movie_rate):  # which passes any range
        raise RocktowerError("--movie-rate nan: give a number from 0.05 to 1")
    for file in filter(None, (log_file, movie)):
        check_new_file(file)
    if movie:
        from rocktower.viewer import check_format

        check_format(movie)

    tower = RockTower(model, seed=seed, striker=person)
    check_filled(tower.state, name=str(tower_file or model.name))
    filled = tower.state
    struck = []
    for number in range(1, hits + 1):
        chosen = ("left", "right")[(number - 1) % 2] if side == "alternate" else side
        tower.strike(chosen, speed=speed, height=height, trace=movie is not None)  # type: ignore[arg-type] # checked above
        assert tower.last_strike is not None and tower.last_result is not None  # noqa: S101, PT018
        struck.append(_Struck(number, tower.last_strike, tower.last_result))
        if tower.last_result.outcome is Outcome.NOT_SETTLED:
            click.echo(f"rocktower: hit {number}: the boulders did not come to rest", err=True)

    if log_file:
        lines = [log_header(model, tower.seed), log_line(0, filled)]
        lines += [log_line(s.number, s.result.state, s.strike, s.result) for s in struck]
        with new_file(log_file) as beside:
            beside.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    if movie:
        _film(movie, movie_rate, tower, filled, struck)
    if as_json:
        click.echo(json.dumps(_as_dict(tower, struck)))
    else:
        from rocktower.cli._hammer_view import show

        show(tower, [(s.strike, s.result) for s in struck])


def _film(
    path: Path, rate: float, tower: RockTower, filled: TowerState, struck: list[_Struck]
) -> None:
    """Draw the hits, without any display."""
    from rocktower.viewer import LogReplay, film, frame_rate, save_movie

    about = f"striker: {tower.striker.name}"
    notes = (f"seed {tower.seed}", f"tower {tower.model.name}")
    strikes = [(s.strike, s.result) for s in struck]
    replay = LogReplay.of_strikes(tower.model, filled, strikes, about, notes)
    replay.rate = rate
    save_movie(path, film(replay, frame_rate(path)))
    click.echo(f"movie {path}", err=True)


def _as_dict(tower: RockTower, struck: list[_Struck]) -> dict[str, Any]:
    totals: Counter[str] = Counter()
    hits = []
    for s in struck:
        counts = s.result.hit.counts
        totals += counts
        hits.append(
            {
                "n": s.number,
                "strike": {
                    "side": s.strike.side,
                    "speed_m_s": s.strike.speed,
                    "height_m": s.strike.height,
                },
                "boulders": [b.color for b in s.result.hit.boulders],
                "counts": {color: counts[color] for color in COLORS},
                "empty": s.result.hit.is_empty,
            }
        )
    return {
        "seed": tower.seed,
        "model": {"name": tower.model.name, "hash": tower.model.hash},
        "hits": hits,
        "totals": {color: totals[color] for color in COLORS},
        "inside": len(tower.state.inside),
    }
