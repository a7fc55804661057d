"""Hits of the simulated tower as recorded rows: owners whose parameters are known."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from rocktower.calibration._rows import Amount, Row
from rocktower.errors import RocktowerError
from rocktower.games.trollfjord import COLORS, Boulders
from rocktower.tower import LoggedHit

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rocktower.calibration._recorder import Habits
    from rocktower.tower import Boulder, RockTower

__all__ = ["recorded_rows", "strike_turns"]


def strike_turns(
    tower: RockTower, turns: Sequence[int], *, drop_in: bool = True
) -> tuple[LoggedHit, ...]:
    """Strike a tower turn after turn, as its striker does.

    Parameters
    ----------
    turns
        How many hits each has.
    drop_in
        Whether all that came out goes back in before the next turn (rulebook, C4).

    Returns
    -------
    tuple
        A hit each, with the states before and after, for `recorded_rows`.
    """
    hits: list[LoggedHit] = []
    for hits_of_turn in turns:
        if hits and drop_in:
            tower.drop_in()
        for _ in range(hits_of_turn):
            before = tower.state
            tower.strike()
            strike, result = tower.last_strike, tower.last_result
            assert strike is not None and result is not None  # noqa: S101, PT018 - it was struck
            out = tuple(boulder.id for boulder in result.hit.boulders)
            jumped = tuple(boulder.id for boulder in result.jumped)
            hits.append(LoggedHit(len(hits) + 1, before, strike, out, jumped, tower.state))
    return tuple(hits)


def recorded_rows(
    hits: Iterable[LoggedHit],
    *,
    habits: Habits,
    filling: int = 1,
    turns: Sequence[int] | None = None,
    note: str = "",
) -> tuple[Row, ...]:
    """Write down what a simulated tower did: one filling, from a session or a hammering log.

    Parameters
    ----------
    hits
        Of one tower with at most 11 boulders of a color, in their order: `strike_turns`, or
        ``decode_log(text).hits``.
    habits
        Session, striker and so on; the side is each strike's own.
    filling
        Its number.
    turns
        How many hits each turn has. None: a turn begins where boulders were put in, so one in
        which nothing came out cannot be told from the next.
    note
        Of the first row.

    Raises
    ------
    RocktowerError
        If the turns have fewer hits than there are.
    """
    rows: list[Row] = []
    inside: set[Boulder] = set()
    starts = None if turns is None else {sum(turns[:k]) + 1 for k in range(len(turns))}
    turn = 0
    hits = tuple(hits)
    if turns is not None and sum(turns) < len(hits):
        raise RocktowerError(f"turns of {sum(turns)} hits in all, but there are {len(hits)}")
    for number, hit in enumerate(hits, 1):
        added = set(hit.before.inside) - inside
        turn += bool(added) if starts is None else number in starts
        colors = {boulder.id: boulder.color for boulder in hit.before.boulders}
        rows.append(
            Row(
                session=habits.session,
                filling=filling,
                turn=turn,
                hit=number,
                added=_count(boulder.color for boulder in added),
                out=tuple(map(Amount.of, _count(colors[i] for i in hit.boulders))),
                back=_count(colors[i] for i in hit.jumped),
                striker=habits.striker,
                strength=habits.strength,
                drop_cm=habits.drop_cm,
                side=hit.strike.side,
                held=habits.held,
                note=note if number == 1 else "",
            )
        )
        inside = set(hit.after.inside)
    return tuple(rows)


def _count(colors: Iterable[str]) -> Boulders:
    counts = Counter(colors)
    return Boulders(*(counts[color] for color in COLORS))
