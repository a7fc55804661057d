"""`rocktower odds trollfjord`: the odds of a hit, and whether to strike or to stop."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from rocktower.cli._common import fresh_seed, json_option, print_json, print_table, seed_option
from rocktower.errors import RocktowerError
from rocktower.files import check_new_file, new_file
from rocktower.games.trollfjord import ALL_BOULDERS, Boulders, TowerHit

if TYPE_CHECKING:
    from rocktower.odds import Advice, Choice, Situation, Treasure
    from rocktower.statistics import Interval

__all__ = ["trollfjord"]

_TREASURE = re.compile(r"([0-9]{1,3})(?:\+([0-9]{1,3}))?:(me|other|both)")
_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.option("--limit", type=int, required=True, help="Hit limit and color limit, 2 to 9.")
@click.option("--out", default="-", show_default=True, help="Boulders out, as r7 b4 y3 w3.")
@click.option(
    "--hits",
    default="0",
    show_default=True,
    help="Hits used; better the boulders of each, as 4,3,4,2,4,0: the tower remembers.",
)
@click.option(
    "--treasure",
    "treasures",
    multiple=True,
    metavar="VALUE[+EXTRA]:WHO",
    help="A treasure at the fortress, and who has trolls there: me, other or both. EXTRA is what "
    "it brings beyond its value, as 18+6:me for a crown. Up to three times.",
)
@click.option("--comrade", is_flag=True, help="Another one is in the crew.")
@click.option(
    "--hammerer",
    type=click.Choice(["me", "other"]),
    default="me",
    show_default=True,
    help="Who has the hammer now.",
)
@click.option("--gifts", default="4,8,16", show_default=True, help="My unflipped gifts, or -.")
@click.option("--other-gifts", default="4,8,16", show_default=True, help="The other's, or -.")
@click.option("--put-back", help="Boulders dropped in after the turn before; all if not given.")
@click.option(
    "--players",
    type=click.IntRange(2, 4),
    default=4,
    show_default=True,
    help="How many play: a point of the other's costs me 1, 1/2 or 1/3 of mine.",
)
@click.option("--rivalry", type=float, help="What it costs me instead, 0 to 1.")
@click.option(
    "--turns",
    type=click.IntRange(100, 1_000_000),
    default=4000,
    show_default=True,
    help="Turns to draw from the emulator; more make it surer.",
)
@click.option("--emulator", "emulator_file", type=_FILE, help="Another tower's emulator.")
@click.option("--plot", type=_FILE, help="Draw the odds into this new file (PNG, SVG, PDF).")
@seed_option
@json_option
def trollfjord(
    *,
    limit: int,
    out: str,
    hits: str,
    treasures: tuple[str, ...],
    comrade: bool,
    hammerer: str,
    gifts: str,
    other_gifts: str,
    put_back: str | None,
    players: int,
    rivalry: float | None,
    turns: int,
    emulator_file: Path | None,
    plot: Path | None,
    seed: int | None,
    as_json: bool,
) -> None:
    """Trollfjord: give the odds of hammering, and whether to strike or to stop.

    The chances are the emulator's: of the simulated tower, not of the printed game's. The
    advice is by optimal stopping, for who has the hammer; docs/odds.md says what is assumed.
    """
    from rocktower.emulator import Emulator
    from rocktower.odds import ME, OTHER, Situation, advise
    from rocktower.randomness import stream

    if plot is not None:
        check_new_file(plot)
    used, totals = _hits(hits)
    situation = Situation(
        limit=limit,
        treasures=tuple(_treasure(text) for text in treasures),
        hits=used,
        out=_boulders("--out", out),
        totals=totals,
        gifts=(_gifts("--gifts", gifts), _gifts("--other-gifts", other_gifts) if comrade else ()),
        comrade=comrade,
        hammerer=ME if hammerer == "me" else OTHER,
        put_back=None if put_back is None else _boulders("--put-back", put_back),
        rivalry=1.0 / (players - 1) if rivalry is None else rivalry,
    )
    seed, emulator = fresh_seed(seed), Emulator.load(emulator_file)
    advice = advise(situation, emulator, stream(seed, 0), paths=turns)
    if plot is not None:
        from rocktower.odds import plot_advice

        with new_file(plot) as beside:
            kind = plot.suffix.removeprefix(".") or "png"
            try:
                plot_advice(advice).savefig(beside, dpi=120, format=kind)
            except ValueError as error:
                raise RocktowerError(f"{plot}: {error}") from None
    if as_json:
        print_json(
            {
                "seed": seed,
                "emulator": {"hash": emulator.hash, "hits": emulator.note.get("hits")},
                "advice_for": hammerer,
                **msgspec.to_builtins(advice),
            }
        )
    else:
        _show(advice)
        click.echo(
            f"seed {seed}, {turns} turns by emulator {emulator.hash}, learned from "
            f"{emulator.note.get('hits', 'unknown')} hits"
        )


def _boulders(option: str, text: str) -> Boulders:
    try:
        boulders = TowerHit(ALL_BOULDERS).parse(text)
        TowerHit(ALL_BOULDERS).check(boulders)
    except RocktowerError as error:
        raise RocktowerError(f"{option}: {error}") from None
    return boulders


def _hits(text: str) -> tuple[int, tuple[int, ...]]:
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() and len(part) < 4 for part in parts):
        raise RocktowerError(f"--hits {text!r}: a count, or boulders by hit (4,3,4), is expected")
    if len(parts) == 1:
        return int(text), ()
    return len(parts), tuple(map(int, parts))


def _gifts(option: str, text: str) -> tuple[int, ...]:
    if text.strip() == "-":
        return ()
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() and len(part) < 4 for part in parts):
        raise RocktowerError(f"{option} {text!r}: values like 4,8,16, or -, are expected")
    return tuple(map(int, parts))


def _treasure(text: str) -> Treasure:
    from rocktower.odds import Treasure

    match = _TREASURE.fullmatch(text.strip().lower())
    if match is None:
        raise RocktowerError(
            f"--treasure {text!r}: VALUE:me, VALUE:other or VALUE:both, as 18:both"
        )
    value, worth, who = int(match[1]), float(int(match[1]) + int(match[2] or 0)), match[3]
    return Treasure(value, (worth if who != "other" else None, worth if who != "me" else None))


def _show(advice: Advice) -> None:
    from rich.table import Table

    situation = advice.situation
    click.echo(_headline(situation))
    click.echo(_verdict(advice))
    weighed = "weighed (95 %)" if situation.hammerer == 0 else "weighed by the other (95 %)"
    grid = Table("", "mine", "the other's", weighed, title="What it is worth, in points")
    for name, choice in (("strike", advice.strike), ("stop", advice.stop)):
        if choice is not None:
            grid.add_row(name, *_points(choice, both=situation.comrade))
    print_table(grid)
    _show_next_hit(advice)
    _show_policies(advice)
    _show_by_hit(advice)


def _headline(situation: Situation) -> str:
    who = "you have" if situation.hammerer == 0 else "the other has"
    crew = "with a comrade" if situation.comrade else "alone"
    return (
        f"{situation.hits} of {situation.limit} hits used, color limit {situation.limit}, "
        f"out: {situation.out} ({situation.out.total}); {who} the hammer, {crew}"
    )


def _verdict(advice: Advice) -> str:
    mine = advice.situation.hammerer == 0
    whose = "" if mine else "For the other: "
    if advice.margin is None:
        return f"{whose}Strike: who decided to hammer stops after a hit, not before the first."
    if advice.is_tie:
        who = "you strike or stop" if mine else "he strikes or stops"
        return (
            f"{whose}It makes no difference whether {who}: over {advice.paths} turns both bring "
            "the same."
        )
    better = abs(advice.margin.value)
    half = (advice.margin.high - advice.margin.low) / 2
    name, other = ("Strike", "stopping") if advice.best == "strike" else ("Stop", "striking")
    return (
        f"{whose}{name}: {better:.2f} points better than {other} (95 %: {better - half:.2f} to "
        f"{better + half:.2f}); the better one with {_sure(advice.sure)}."
    )


def _sure(chance: float) -> str:
    return "over 99.9 %" if chance > 0.999 else f"{chance:.1%}"


def _points(choice: Choice, *, both: bool) -> tuple[str, str, str]:
    worth = f"{choice.worth.value:.2f} ({choice.worth.low:.2f} to {choice.worth.high:.2f})"
    return f"{choice.mine.value:.2f}", f"{choice.other.value:.2f}" if both else "-", worth


def _percent(share: Interval) -> str:
    return f"{share.value:.1%}"


def _show_next_hit(advice: Advice) -> None:
    from rich.table import Table

    totals = advice.next_hit.totals
    grid = Table(*map(str, range(9)), "9+", title="The next hit: the chance of so many boulders, %")
    shares = [*totals[:9], sum(totals[9:])]
    grid.add_row(*(f"{100 * share:.1f}" for share in shares))
    print_table(grid)
    click.echo(f"empty: {advice.next_hit.empty:.1%}")
    click.echo(f"breaks the color limit: {_percent(advice.next_hit.broken)}")
    click.echo(f"broken by the end, if all strike on: {_percent(advice.broken_by_end)}")
    for treasure, chance in zip(advice.situation.treasures, advice.next_hit.reaches, strict=True):
        click.echo(f"at least {treasure.value} boulders after it: {_percent(chance)}")


def _show_policies(advice: Advice) -> None:
    from rich.table import Table

    treasures = [f"reaches {t.value}" for t in advice.situation.treasures]
    grid = Table(
        "stop at", "mean end", "5-95 %", "25-75 %", "broken", *treasures,
        title="Strike until n boulders are out",
    )  # fmt: skip
    for policy in advice.policies:
        low, lower, _, upper, high = map(str, policy.quantiles)
        grid.add_row(
            str(policy.least), f"{policy.total.value:.1f}", f"{low}-{high}", f"{lower}-{upper}",
            _percent(policy.broken), *map(_percent, policy.reaches),
        )  # fmt: skip
    print_table(grid)


def _show_by_hit(advice: Advice) -> None:
    from rich.table import Table

    grid = Table(
        "hits used", "limit broken", "stop", "go on",
        title="Stopping against going on, if all strike on to there (limit unbroken)",
    )  # fmt: skip
    for row in advice.by_hit:
        grid.add_row(str(row.hit), f"{row.over:.1%}", _value(row.stop), _value(row.go))
    print_table(grid)


def _value(value: Any) -> str:
    return "-" if value != value else f"{value:.2f}"  # NaN: not allowed there
