"""Trollfjord at the terminal: what people see of a position, its choices and its events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from rich.box import SIMPLE
from rich.highlighter import RegexHighlighter
from rich.table import Table
from rich.theme import Theme

from rocktower.games.trollfjord import (
    PLAYER_COLORS,
    Acted,
    Action,
    Announce,
    Answered,
    Boulders,
    Clear,
    Collect,
    Ended,
    Event,
    Give,
    Hammer,
    Join,
    Move,
    Pass,
    Place,
    Replay,
    State,
    Stop,
    Strike,
    Undone,
    Wander,
    comrades,
    fortress_name,
    phases,
    ranking,
    score,
    trolls_at,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["THEME", "PlayerHighlighter", "choices", "event_line", "final", "result"]

THEME = Theme(
    {
        "player.white": "bold white on grey30",
        "player.orange": "bold dark_orange",
        "player.brown": "bold rgb(170,110,60)",
        "player.black": "bold black on grey70",
        "player.number": "bold",
    }
)
_NUMERALS = ("I", "II", "III", "+")


class PlayerHighlighter(RegexHighlighter):
    """Shows each player's name in the player's color."""

    base_style = "player."
    highlights = [rf"\b(?P<{color}>{color})\b" for color in PLAYER_COLORS]  # noqa: RUF012 - rich's


def choices(state: State, actions: Sequence[Action]) -> str:
    """List numbered choices, each with what it means in this position."""
    width = max(len(str(action)) for action in actions)
    return "\n".join(
        f"{number:>3}  {action!s:<{width}}  {_meaning(state, action)}"
        for number, action in enumerate(actions, start=1)
    )


def _meaning(state: State, action: Action) -> str:
    player = state.actor
    assert isinstance(player, int)  # noqa: S101 - players choose
    regions, hammering = state.table.board.region_index, state.hammering
    match action:
        case Move():
            return _move_meaning(state, player, action)
        case Place(_, region) | Wander(_, region):
            return _region_meaning(state, regions[region])
        case Announce(fortress):
            return _fortress_meaning(state, player, state.table.board.fortress_index[fortress])
        case Join():
            return _limit_meaning(state, [state.turn, player])
        case Hammer():
            assert isinstance(state.phase, phases.Deciding)  # noqa: S101 - hammering is decided
            crew = [player] if state.phase.comrade is None else [player, state.phase.comrade]
            return _limit_meaning(state, crew)
        case Strike():
            limit = f"limit {hammering.limit} of a color"
            return f"out: {hammering.out} ({hammering.out.total} in all), {limit}"
        case Stop():
            after = state.apply(action)
            return "and collect" if isinstance(after.phase, phases.Collecting) else "empty-handed"
        case Give():
            return "flip it, if the offers suffice"
        case Collect(region):
            space = _NUMERALS[len(state.belts[player])] if player == state.turn else ""
            where = f"on belt space {space}" if space else "into the patched bag"
            return f"treasure {state.treasures[regions[region]]}, {where}"
        case Clear(region):
            return f"{state.trolls[player][regions[region]]} trolls come back"
        case Pass():
            return _pass_meaning(state)


def _move_meaning(state: State, player: int, action: Move) -> str:
    after = state.apply(action)
    lord = after.lords[player]
    ahead = sorted(
        (other, PLAYER_COLORS[i])
        for i, other in enumerate(after.lords)
        if other > lord and not after.lying[i]
    )
    wind = f"tailwind for {', '.join(color for _, color in ahead)}" if ahead else "no tailwind"
    what = "wander" if action.kind == "wander" else f"{after.table.space(lord)}: place"
    return f"{what} up to {action.count}; {wind}"


def _region_meaning(state: State, region: int) -> str:
    around = enumerate(state.table.board.surrounding)
    names = [fortress_name(state, fortress) for fortress, regions in around if region in regions]
    return f"treasure {state.treasures[region] or 'none'}, at {' '.join(names)}"


def _fortress_meaning(state: State, player: int, fortress: int) -> str:
    mine = trolls_at(state, player, fortress)
    others = [
        f"{PLAYER_COLORS[other]} ({trolls_at(state, other, fortress)})"
        for other in comrades(state, fortress)
    ]
    return (
        f"{fortress_name(state, fortress)}: {mine} trolls of yours, "
        f"{_treasures_at(state, fortress)}, may join: {', '.join(others) or 'nobody'}"
    )


def _limit_meaning(state: State, crew: list[int]) -> str:
    assert isinstance(state.phase, phases.Joining | phases.Deciding)  # noqa: S101 - B2 only
    fortress = state.phase.fortress
    limit = min(9, sum(trolls_at(state, player, fortress) for player in crew))
    return f"up to {limit} hits, and {limit} of a color, for {_treasures_at(state, fortress)}"


def _treasures_at(state: State, fortress: int) -> str:
    values = sorted(state.treasures[region] for region in state.table.board.surrounding[fortress])
    return f"treasures {' '.join(str(value) for value in values if value)}"


def _pass_meaning(state: State) -> str:
    match state.phase:
        case phases.Placing():
            return "place none"
        case phases.Wandering():
            return "wander no further"
        case phases.Joining():
            return "stay out of it"
        case phases.Appeasing():
            return "offer no more"
    return "do not hammer: the turn ends"


def event_line(before: State, event: Event) -> str:
    """Say in a line what has happened."""
    match event:
        case Acted(_, player, action):
            return f"  {player}: {action}"
        case Answered(_, "hit", answer):
            hit: Boulders = before.request.parse(answer)
            return f"  the tower: {answer}" + ("" if hit.total else " (empty hit)")
        case Answered(_, request, answer):
            return f"  {request}: {answer}"
        case Undone(_, steps):
            return f"  taken back: {steps} step{'s' if steps > 1 else ''}"
        case Ended(_, _, king):
            return f"  {king} is King of the Trolls"


def final(state: State, kinds: Sequence[str]) -> Table:
    """Give the final count, the King of the Trolls first."""
    table = Table("", "player", "", box=SIMPLE)
    for column in ("treasures", "gifts", "crowns", "total"):
        table.add_column(column, justify="right")
    for place, player in enumerate(ranking(state), start=1):
        points = score(state, player)
        numbers = (points.treasures, points.gifts, points.crowns, points.total)
        table.add_row(f"{place}.", PLAYER_COLORS[player], kinds[player], *map(str, numbers))
    return table


def result(replay: Replay, log: Path | None) -> dict[str, Any]:
    """Give what ``--json`` prints of a game."""
    state, header = replay.state, replay.header
    return {
        "game": header.game,
        "finished": replay.has_ended,
        "seed": header.seed,
        "source": header.source,
        "turns": state.turns,
        "events": replay.count,
        "log": str(log) if log else None,
        "players": [
            {"color": PLAYER_COLORS[player], "kind": kind, "total": score(state, player).total}
            | msgspec.structs.asdict(score(state, player))
            for player, kind in enumerate(header.players)
        ],
        "ranking": [PLAYER_COLORS[player] for player in ranking(state)] if state.lords else [],
    }
