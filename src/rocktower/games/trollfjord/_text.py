"""A position as text: the table as players see it, and what the actor is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocktower.games.trollfjord import phases
from rocktower.games.trollfjord._board import WANDER
from rocktower.games.trollfjord._moving import TROLLS
from rocktower.games.trollfjord._requests import ALL_BOULDERS
from rocktower.games.trollfjord._scoring import ranking, score
from rocktower.games.trollfjord._table import PLAYER_COLORS

if TYPE_CHECKING:
    from rocktower.games.trollfjord._actions import Action
    from rocktower.games.trollfjord._state import State

__all__ = ["board", "fortress_name", "prompt", "refusal"]

NUMERALS = ("?", "I", "II", "III", "+")
_AHEAD = 8  # spaces shown in front of the foremost lord
_WIDTH = 88


def fortress_name(state: State, fortress: int) -> str:
    """Name a fortress with its number, as ``D(III)``."""
    numbers = state.table.numbers
    numeral = NUMERALS[numbers[fortress] if numbers else 0]
    return f"{state.table.board.fortresses[fortress].name}({numeral})"


def prompt(state: State) -> str:
    """Say in one line what happens next."""
    phase, hammering = state.phase, state.hammering
    match phase:
        case phases.Over():
            return f"the game is over: {PLAYER_COLORS[ranking(state)[0]]} is King of the Trolls"
        case phases.Falling():
            return f"hit {hammering.hits + 1} of {hammering.limit}"
        case phases.Numbering() | phases.Laying() | phases.Dealing() | phases.Seating():
            return str(state.request)
    return f"{PLAYER_COLORS[phase.player]} {_task(state)}"


def _task(state: State) -> str:
    phase, hammering = state.phase, state.hammering
    match phase:
        case phases.Moving():
            return "moves the troll lord"
        case phases.Placing():
            most = min(phase.most, TROLLS - sum(state.trolls[phase.player]))
            landscape = state.table.space(state.lords[phase.player])
            wind = "" if phase.player == state.turn else ", by tailwind"
            return f"may place up to {most} in one {landscape} region{wind}"
        case phases.Wandering():
            wind = "" if phase.player == state.turn else ", by tailwind"
            return f"may wander, {phase.left} left{wind}"
        case phases.Announcing():
            return "may announce a fortress to hammer at"
        case phases.Joining():
            where = fortress_name(state, phase.fortress)
            return f"may join {PLAYER_COLORS[state.turn]} at {where}"
        case phases.Deciding():
            others = "alone" if phase.comrade is None else f"with {PLAYER_COLORS[phase.comrade]}"
            return f"may hammer {others} at {fortress_name(state, phase.fortress)}"
        case phases.Striking():
            return f"strikes hit {hammering.hits + 1} of {hammering.limit}" + (
                ", or stops" if hammering.hits else ""
            )
        case phases.Appeasing():
            need = hammering.out.excess(hammering.limit)
            return f"may offer gifts: {len(phase.offered)} of {need} offered"
        case phases.Collecting():
            return f"collects a treasure of at most {hammering.out.total}"
    return "clears a region"


def refusal(state: State, action: object) -> str:
    """Say why an action is refused: what is legal instead."""
    legal = [str(option) for option in state.legal_actions()]
    if not legal:
        return f"{_show(action)} is not legal: {prompt(state)}"
    more = f" or {len(legal) - 12} more" if len(legal) > 12 else ""
    return f"{_show(action)} is not legal: {prompt(state)} ({', '.join(legal[:12])}{more})"


def _show(action: Action | object) -> str:
    return repr(str(action)[:60])


def board(state: State) -> str:
    """Draw the table: regions, walkway, players, and the hammering if there is any."""
    parts = [f"turn {state.turns}: {prompt(state)}", _regions(state)]
    if state.lords and state.table.walkways:
        parts.append(_walkway(state))
    parts.append(_players(state))
    if state.hammering is not phases.NO_HAMMERING:
        parts.append(_tower(state))
    return "\n\n".join(parts)


def _regions(state: State) -> str:
    colors = PLAYER_COLORS[: state.table.players]
    rows = [("region", "treasure", *colors, "fortresses", "adjoins")]
    for i, region in enumerate(state.table.board.regions):
        here = [f for f, around in enumerate(state.table.board.surrounding) if i in around]
        rows.append(
            (
                region.name,
                str(state.treasures[i] or "-"),
                *(str(trolls[i] or ".") for trolls in state.trolls),
                " ".join(fortress_name(state, f) for f in here),
                " ".join(region.adjoins),
            )
        )
    return _columns(rows, right=range(1, 2 + len(colors)))


def _walkway(state: State) -> str:
    """Show the spaces from the rearmost lord to some in front of the foremost one."""
    lords = {lord: player for player, lord in enumerate(state.lords)}
    words = ["walkway:"]
    for position in range(min(lords), max(lords) + _AHEAD + 1):
        space = state.table.space(position)
        name = "~" if space == WANDER else space
        if position in lords:
            player = lords[position]
            lies = " lies" if state.lying[player] else ""
            name += f"[{PLAYER_COLORS[player]}{lies}]"
        words.append(name)
    lines = [""]
    for word in words:
        if len(lines[-1]) + len(word) > _WIDTH:
            lines.append("        ")
        lines[-1] += word + " "
    return "\n".join(line.rstrip() for line in lines)


def _players(state: State) -> str:
    rows: list[tuple[str, ...]] = [
        ("player", "trolls", "gifts", "I", "II", "III", "+", "patched bag", "points")
    ]
    for player, belt in enumerate(state.belts):
        shown = [str(value) for value in belt] + ["-"] * (4 - len(belt))
        for space, holder in enumerate(state.crowns):
            if holder == player:
                shown[space] += "*"
        rows.append(
            (
                PLAYER_COLORS[player],
                str(TROLLS - sum(state.trolls[player])),
                " ".join(map(str, state.gifts[player])) or "-",
                *shown,
                " ".join(map(str, state.bags[player])) or "-",
                str(score(state, player).total),
            )
        )
    return _columns(rows, right=(1, 8)) + "\n(* crown)"


def _tower(state: State) -> str:
    hammering = state.hammering
    names = [PLAYER_COLORS[player] for player in hammering.crew]
    roles = [f"{role} {name}" for role, name in zip(("hammerer", "comrade"), names, strict=False)]
    return (
        f"at {fortress_name(state, hammering.fortress)}: "
        f"{hammering.hits} of {hammering.limit} hits, color limit {hammering.limit}, "
        f"out: {hammering.out} ({hammering.out.total}), "
        f"inside: {ALL_BOULDERS.minus(hammering.out)}" + (f", {', '.join(roles)}" if roles else "")
    )


def _columns(rows: list[tuple[str, ...]], right: range | tuple[int, ...]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(
            cell.rjust(width) if i in right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )
    return "\n".join(lines)
