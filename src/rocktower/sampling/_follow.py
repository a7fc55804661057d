"""Follows a tower's content from hit to hit, and sees when a row cannot be true."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocktower.errors import RocktowerError
from rocktower.tower import COLORS

if TYPE_CHECKING:
    from rocktower.sampling._rows import ByColor, HitRow

__all__ = ["Follower"]


class Follower:
    """What is in the tower, by color and by the turn before which it was dropped in."""

    def __init__(self) -> None:
        self.unit = -1
        """Number of the filling, from 0, over all seeds."""
        self._last: HitRow | None = None
        self._seen: set[tuple[int, int]] = set()
        self._inside = [0, 0, 0, 0]
        self._dropped_in: dict[int, int] = {}  # turn -> boulders inside that went in before it

    def take(self, row: HitRow) -> ByColor:
        """Take the next row; return what was inside, by color, when the tower was struck.

        Raises
        ------
        RocktowerError
            Such as "column left: ...", if the row does not follow from those before it.
        """
        self._check_numbers(row)
        if row.turn == row.hit == 1:
            if not any(row.added):
                raise RocktowerError(f"column added_{COLORS[0]}: a filling begins with boulders")
            self._inside, self._dropped_in = [0, 0, 0, 0], {}
        for number, color in enumerate(COLORS):
            if row.hit > 1 and row.added[number]:
                raise RocktowerError(
                    f"column added_{color}: boulders are dropped in before a turn's first hit"
                )
            self._inside[number] += row.added[number]
        if row.hit == 1:
            self._dropped_in[row.turn] = sum(row.added)
        if row.left != sum(self._inside):
            raise RocktowerError(f"column left: {row.left}, but {sum(self._inside)} are inside")
        red, blue, yellow, white = self._inside
        for number, color in enumerate(COLORS):
            if row.out[number] > self._inside[number]:
                raise RocktowerError(
                    f"column out_{color}: {row.out[number]}, but only {self._inside[number]} "
                    "are inside"
                )
            self._inside[number] -= row.out[number]
        for age in row.ages:
            turn = row.turn - age
            if not self._dropped_in.get(turn):
                raise RocktowerError(f"column ages: {age}: no boulder inside was dropped in then")
            self._dropped_in[turn] -= 1
        self._last = row
        return red, blue, yellow, white

    def _check_numbers(self, row: HitRow) -> None:
        last = self._last
        filling = row.seed, row.filling
        if last is None or filling != (last.seed, last.filling):
            if filling in self._seen:
                raise RocktowerError(f"column filling: {row.filling} has been there before")
            if row.turn != 1:
                raise RocktowerError(f"column turn: {row.turn}: a filling begins with turn 1")
            if row.hit != 1:
                raise RocktowerError(f"column hit: {row.hit}: a turn begins with hit 1")
            self._seen.add(filling)
            self.unit += 1
        elif row.turn == last.turn:
            if row.hit != last.hit + 1:
                raise RocktowerError(f"column hit: {row.hit} does not follow {last.hit}")
        elif row.turn != last.turn + 1:
            raise RocktowerError(f"column turn: {row.turn} does not follow {last.turn}")
        elif row.hit != 1:
            raise RocktowerError(f"column hit: {row.hit}: a turn begins with hit 1")
