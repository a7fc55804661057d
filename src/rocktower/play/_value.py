"""What a position is worth to a player: a small network, learned from games of bots."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np

from rocktower.games.trollfjord import score
from rocktower.play._prospects import prospects

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocktower.games.trollfjord import State

_Catch = tuple[float, float, int]

__all__ = ["Value", "features", "lead", "value"]

_PLUS = 3  # the belt space that any fortress fills
_TYPICAL = 19  # a treasure that is yet to be dealt


def lead(state: State, player: int) -> float:
    """Give a player's points beyond the mean of the others', as if the game ended now."""
    points = [score(state, other).total for other in range(state.table.players)]
    return points[player] - (sum(points) - points[player]) / (len(points) - 1)


def features(state: State, player: int) -> list[float]:
    """Describe a position as a player sees it: himself, the mean of the others, the table.

    A position in the middle of a turn is described as if the turn ended there.
    """
    players = range(state.table.players)
    treasures = tuple([treasure or _TYPICAL for treasure in state.treasures])
    around = state.table.board.surrounding
    catches = [_catches(around, trolls, treasures) for trolls in state.trolls]
    described = [_describe(state, other, treasures, catches) for other in players]
    mine = described.pop(player)
    others = described[0]
    if len(described) > 1:
        others = [sum(column) / len(described) for column in zip(*described, strict=True)]
    last_round = any(state.lying) or max(map(len, state.belts)) > _PLUS
    return [*mine, *others, float(last_round), len(players) == 3, len(players) == 4]


@lru_cache(maxsize=4096)
def _catches(
    surrounding: tuple[tuple[int, ...], ...], trolls: tuple[int, ...], treasures: tuple[int, ...]
) -> tuple[_Catch, ...]:
    """Give for each fortress what a player could expect: now, and with two trolls more.

    The third number is the trolls there.
    """
    reach = prospects().reach
    result = []
    for a, b, c in surrounding:
        at_a, at_b, at_c = trolls[a], trolls[b], trolls[c]
        here = at_a + at_b + at_c
        then = reach[min(here + 2, 9)]
        one, two, three = treasures[a], treasures[b], treasures[c]
        best = 0.0
        if (at_a > 0) + (at_b > 0) + (at_c > 0) >= 2:
            now = reach[min(here, 9)]
            best = max(
                one * now[one] if at_a else 0.0,
                two * now[two] if at_b else 0.0,
                three * now[three] if at_c else 0.0,
            )
        result.append((best, max(one * then[one], two * then[two], three * then[three]), here))
    return tuple(result)


@lru_cache(maxsize=4096)
def _ahead(
    catches: tuple[_Catch, ...], needed: tuple[int, ...], after: tuple[int, ...]
) -> tuple[float, ...]:
    """Describe what is ahead at the fortresses for the next belt space, and for the one after."""
    best = sorted([catches[fortress][0] for fortress in needed], reverse=True)
    return (
        best[0] / 20,
        best[1] / 20,
        max([catches[fortress][1] for fortress in needed]) / 20,
        max([catches[fortress][0] for fortress in after]) / 20,
        max([catches[fortress][1] for fortress in after]) / 20,
        max([catches[fortress][2] for fortress in needed]) / 10,
    )


def _describe(
    state: State,
    player: int,
    treasures: Sequence[int],
    catches: Sequence[tuple[_Catch, ...]],
) -> list[float]:
    """Describe one player."""
    filled = len(state.belts[player])
    done = state.lying[player] or filled > _PLUS
    row = [0.0] * 20
    row[4 if done else filled] = 1.0
    row[5] = len(state.gifts[player]) / 3
    row[6] = min(state.gifts[player], default=0) / 16
    lords = state.lords
    standing = [other for other, lies in enumerate(state.lying) if not lies]
    # Crowns that somebody may still take.
    shortest = min([len(state.belts[other]) for other in standing], default=_PLUS)
    row[7] = state.crowns[shortest:].count(player) / 3
    if done:
        return row
    last, foremost = min([lords[p] for p in standing]), max([lords[p] for p in standing])
    by_belt = state.table.fortresses_by_belt
    ahead = _ahead(catches[player], by_belt[filled], by_belt[min(filled + 1, _PLUS)])
    row[8:13] = ahead[:-1]
    row[13] = sum(state.trolls[player]) / 10
    row[14] = ahead[-1]
    row[15] = (foremost - lords[player]) / 10
    row[16] = (lords[player] - last) / 10
    row[17] = float(lords[player] == last)
    if filled < _PLUS:
        holder = state.crowns[filled]
        row[18] = 0.0 if holder is None else state.belts[holder][filled] / 28
    row[19] = _joining(state, player, treasures, catches) / 20
    return row


def _joining(
    state: State,
    player: int,
    treasures: Sequence[int],
    catches: Sequence[tuple[_Catch, ...]],
) -> float:
    """Give what a player could expect as a comrade of another one."""
    reach, trolls, mine = prospects().reach, state.trolls[player], catches[player]
    best = 0.0
    for other, belt in enumerate(state.belts):
        if other == player or state.lying[other] or len(belt) > _PLUS:
            continue
        for fortress in state.table.fortresses_by_belt[len(belt)]:
            if mine[fortress][0] and catches[other][fortress][0]:
                together = reach[min(mine[fortress][2] + catches[other][fortress][2], 9)]
                for region in state.table.board.surrounding[fortress]:
                    if trolls[region]:
                        treasure = treasures[region]
                        best = max(best, treasure * together[treasure])
    return best


@dataclass(frozen=True, eq=False)
class Value:
    """A network with one hidden layer: from `features` to the lead still to be won.

    Attributes
    ----------
    hidden, hidden_bias
        Shapes (features, units) and (units,), before the hyperbolic tangent.
    out, out_bias
        Shapes (units,) and (); in points.
    """

    hidden: NDArray[np.float64]
    hidden_bias: NDArray[np.float64]
    out: NDArray[np.float64]
    out_bias: float

    def leads(self, rows: Sequence[list[float]]) -> NDArray[np.float64]:
        """Give the lead still to be won for described positions, shape (n,)."""
        inner = np.tanh(np.array(rows, dtype=float) @ self.hidden + self.hidden_bias)
        return np.asarray(inner @ self.out + self.out_bias)

    def of(self, states: Sequence[State], player: int) -> NDArray[np.float64]:
        """Give the lead that a player may expect at the end, shape (n,)."""
        ahead = self.leads([features(state, player) for state in states])
        now = np.array([lead(state, player) for state in states])
        over = np.array([state.is_over for state in states])
        return np.asarray(now + np.where(over, 0.0, ahead))


@cache
def value() -> Value:
    """Read the packaged network."""
    with files(__package__).joinpath("data/value.npz").open("rb") as file:
        arrays = np.load(file, allow_pickle=False)
        return Value(
            arrays["hidden"], arrays["hidden_bias"], arrays["out"], float(arrays["out_bias"])
        )
