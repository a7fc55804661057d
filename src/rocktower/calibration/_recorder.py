"""Recording at the table: what the next row will be, as a value; no file, no terminal."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from rocktower.calibration._contents import Contents, Situation, follow
from rocktower.calibration._rows import COLUMNS, Amount, CellError, Row, decode_cells, encode_cells
from rocktower.errors import RocktowerError
from rocktower.games.trollfjord import ALL_BOULDERS, COLORS, Boulders

if TYPE_CHECKING:
    from rocktower.calibration._record import Record

__all__ = ["Habits", "Recorder"]


@dataclass(frozen=True, slots=True)
class Habits:
    """What stays the same from hit to hit until it is changed; blank where not known."""

    session: str = ""
    striker: str = ""
    strength: str | None = None
    drop_cm: float | None = None
    side: str | None = None
    held: str | None = None

    @classmethod
    def of(cls, row: Row) -> Habits:
        """Take them from a row."""
        return cls(**{f.name: getattr(row, f.name) for f in fields(cls)})


@dataclass(frozen=True, slots=True)
class Recorder:
    """The hits that are confirmed, and the one that is being put in.

    A value: every method returns another recorder. The rows that it has more or fewer than the
    one before are those to write or to take back.

    Parameters
    ----------
    situations
        The confirmed rows, with what was inside.
    columns
        The columns of the file: what has none cannot be recorded.
    boulders, jumped
        Colors that came out of the outlet so far by this hit, and those that came out without
        a blow or over the top and went back in.
    is_empty
        Whether it is marked as an empty hit.
    new_turn, filling
        Whether a turn begins with this hit; what was filled in, if a filling begins with it.
    flag, note
        Of this hit alone.
    """

    situations: tuple[Situation, ...] = ()
    columns: tuple[str, ...] = COLUMNS
    habits: Habits = field(default_factory=Habits)
    boulders: tuple[str, ...] = ()
    jumped: tuple[str, ...] = ()
    is_empty: bool = False
    new_turn: bool = False
    filling: Boulders | None = None
    flag: str | None = None
    note: str = ""

    @classmethod
    def resume(cls, record: Record, habits: Habits) -> Recorder:
        """Go on with a file."""
        return cls(record.situations, record.columns, habits)

    @property
    def tower(self) -> Contents:
        """The tower as it stands before the hit that is being put in."""
        if self.filling is not None or not self.situations:
            return Contents(self.filling or ALL_BOULDERS)
        last = self.situations[-1].after
        return Contents(last.whole) if self.new_turn else last

    @property
    def inside(self) -> tuple[Amount, ...]:
        """Boulders inside by color, without those that came out by this hit so far."""
        return tuple(
            Amount(max(amount.low - n, 0), amount.high - n)
            for amount, n in zip(self.tower.inside, self._counts, strict=True)
        )

    @property
    def is_pending(self) -> bool:
        """Whether anything of this hit was put in that is not confirmed."""
        return bool(self.boulders or self.jumped or self.is_empty)

    @property
    def turn_hits(self) -> int:
        """How many hits the turn had before the one that is being put in."""
        if not self.situations or self.new_turn or self.filling is not None:
            return 0
        last = self.situations[-1]
        return last.turn_hits + last.row.hits

    @property
    def next_row(self) -> Row:
        """The row that a confirmation writes."""
        last = self.situations[-1] if self.situations else None
        added: tuple[int | None, ...] = (0,) * len(COLORS)
        if last is None or self.filling is not None:
            added = self.filling or ALL_BOULDERS
            filling, turn, hit = (last.row.filling + 1 if last else 1), 1, 1
        else:
            filling, turn = last.row.filling, last.row.turn + self.new_turn
            hit = last.row.hit + last.row.hits
            if self.new_turn:
                added = tuple(a.low if a.is_known else None for a in last.after.table)
        return Row(
            filling=filling,
            turn=turn,
            hit=hit,
            added=(None,) * len(COLORS) if None in added else added,
            added_total="all" if None in added else None,
            out=tuple(map(Amount.of, self._counts)),
            back=_count(self.jumped),
            flag=self.flag,
            note=self.note,
            **{f.name: getattr(self.habits, f.name) for f in fields(Habits)},
        )

    def come_out(self, color: str) -> Recorder:
        """Note a boulder; raise `RocktowerError` if none of that color can be inside."""
        if self.inside[COLORS.index(color)].high <= 0:
            raise RocktowerError(f"no {color} boulder is inside any more")
        return replace(self, boulders=(*self.boulders, color), is_empty=False)

    def jump(self, color: str) -> Recorder:
        """Note a boulder that came out without a blow or over the top, and goes back in."""
        self._check_column(f"back_{color}")
        if self.inside[COLORS.index(color)].high <= 0:
            raise RocktowerError(f"no {color} boulder is inside any more")
        return replace(self, jumped=(*self.jumped, color))

    def mark_empty(self) -> Recorder:
        """Mark the hit as empty; raise `RocktowerError` if boulders came out."""
        if self.boulders:
            raise RocktowerError("boulders came out, so it is no empty hit; u takes them back")
        return replace(self, is_empty=True)

    def confirm(self) -> Recorder:
        """Make the hit a row; raise `RocktowerError` if nothing was put in."""
        if not self.boulders and not self.is_empty:
            raise RocktowerError("nothing to confirm: r b y w for boulders, space for an empty hit")
        try:
            last = follow(self.situations[-1] if self.situations else None, self.next_row)
        except CellError as error:
            raise RocktowerError(f"{error.column}: {error}") from error
        return Recorder((*self.situations, last), self.columns, self.habits)

    def undo(self) -> Recorder:
        """Take back the last thing: a boulder, a mark, a beginning turn or filling, a row."""
        if self.boulders:
            return replace(self, boulders=self.boulders[:-1])
        if self.is_empty:
            return replace(self, is_empty=False)
        if self.jumped:
            return replace(self, jumped=self.jumped[:-1])
        if self.new_turn or self.filling is not None:
            return replace(self, new_turn=False, filling=None)
        if not self.situations:
            raise RocktowerError("nothing to take back")
        return Recorder(self.situations[:-1], self.columns, self.habits)

    def start_turn(self) -> Recorder:
        """Put back all that came out, and begin a turn (rulebook, C4)."""
        self._check_idle()
        if not self.situations or self.new_turn or self.filling is not None:
            raise RocktowerError("the turn is new already: it has no hit yet")
        if not self.situations[-1].after.table_total.is_known:
            self._check_column("added_total")
        return replace(self, new_turn=True)

    def fill(self, boulders: Boulders = ALL_BOULDERS) -> Recorder:
        """Begin a filling: the tower was emptied and filled with these."""
        self._check_idle()
        if not all(0 <= n <= most for n, most in zip(boulders, ALL_BOULDERS, strict=True)):
            raise RocktowerError(f"a filling has 0 to {ALL_BOULDERS.red} boulders of each color")
        if sum(boulders) == 0:
            raise RocktowerError("a filling has at least one boulder")
        return replace(self, filling=boulders, new_turn=False)

    def set(self, column: str, text: str) -> Recorder:
        """Say how this and the next hits are struck, or set the flag or the note of this one.

        Parameters
        ----------
        column
            session, striker, strength, drop_cm, side, held; or flag, note.
        text
            As in the file; empty for not known.

        Raises
        ------
        RocktowerError
            If the value is not allowed, or the file has no such column.
        """
        self._check_column(column)
        cells = dict(zip(COLUMNS, encode_cells(self.next_row), strict=True))
        row, errors = decode_cells({**cells, column: text})
        if row is None:
            raise RocktowerError(f"{column}: {errors[0]}")
        if column in ("flag", "note"):
            values: dict[str, Any] = {column: getattr(row, column)}
            return replace(self, **values)
        return replace(self, habits=Habits.of(row))

    @property
    def _counts(self) -> Boulders:
        return _count(self.boulders)

    def _check_idle(self) -> None:
        if self.is_pending:
            raise RocktowerError("confirm this hit first (Enter), or take it back (u)")

    def _check_column(self, column: str) -> None:
        if column not in self.columns:
            raise RocktowerError(f"the file has no column {column}: it cannot be recorded there")


def _count(colors: tuple[str, ...]) -> Boulders:
    return Boulders(*(colors.count(color) for color in COLORS))
