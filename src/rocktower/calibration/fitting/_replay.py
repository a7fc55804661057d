"""Made-up records: hits under a record's own protocol, written down as it was."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rocktower.calibration._record import decode_record, encode_record
from rocktower.calibration._rows import Amount, Row
from rocktower.games.trollfjord import ALL_BOULDERS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rocktower.calibration._record import Record

__all__ = ["game_evening", "made_up_record"]

_UNKNOWN = tuple(Amount(0, most) for most in ALL_BOULDERS)
_ANY = Amount(0, sum(ALL_BOULDERS))
_TURN, _TURNS = 6, 5  # hits a turn, turns a filling


def game_evening(hits: int) -> Record:
    """Return a protocol of so many hits as in the game, to see what such a record would be worth.

    One striker, turns of six hits after each of which all goes back in, and a new filling every
    five turns. As what came out stands 0: for `made_up_record`.
    """
    rows = []
    for n in range(hits):
        filling, hit = divmod(n, _TURN * _TURNS)
        refill = hit > 0 and hit % _TURN == 0
        rows.append(
            Row(
                session="",
                filling=filling + 1,
                turn=hit // _TURN + 1,
                hit=hit + 1,
                added=tuple(ALL_BOULDERS) if hit == 0 else (None if refill else 0,) * 4,
                added_total="all" if refill else None,
                out=(Amount.of(0),) * 4,
                strength="normal",
                held="held",
            )
        )
    return decode_record(encode_record(rows), f"{hits} hits in turns of {_TURN}")


def made_up_record(record: Record, totals: NDArray[np.int64], name: str) -> Record:
    """Write other hits down in the form of a record: what it knows, and no colors.

    Parameters
    ----------
    totals
        Shape (hits,): boulders of each hit, as `play_protocol` gives them.
    """
    rows: list[Row] = []
    outside = first = 0
    for situation in record.situations:
        row = situation.row
        if row.hit == 1:
            outside, put_in = 0, None
        else:
            wanted = situation.returned_total.low
            put_in = min(outside, outside if row.added_total == "all" else wanted)
            outside -= put_in
        out = int(totals[first : first + row.hits].sum())
        first += row.hits
        outside += out
        known = situation.out_total.is_known and row.flag is None
        rows.append(
            replace(
                row,
                added=row.added if put_in is None else (None,) * 4 if put_in else (0,) * 4,
                added_total=row.added_total if put_in is None else put_in or None,
                out=_UNKNOWN,
                out_total=Amount.of(out) if known else _ANY,
            )
        )
    return decode_record(encode_record(rows), name)
