"""Made-up records: hits under a record's own protocol, written down as it was."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rocktower.calibration._record import decode_record, encode_record
from rocktower.calibration._rows import Amount
from rocktower.games.trollfjord import ALL_BOULDERS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rocktower.calibration._record import Record
    from rocktower.calibration._rows import Row

__all__ = ["made_up_record"]

_UNKNOWN = tuple(Amount(0, most) for most in ALL_BOULDERS)
_ANY = Amount(0, sum(ALL_BOULDERS))


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
