"""Small records, and a law of one hit that is known."""

from __future__ import annotations

from math import comb

import numpy as np

from rocktower.calibration import Record, decode_record

HEADER = (
    "session,filling,turn,hit,hits,striker,added_red,added_blue,added_yellow,added_white,"
    "added_total,out_red,out_blue,out_yellow,out_white,out_total,strength,drop_cm,held,side,flag\n"
)


def row(
    turn: int, hit: int, total: str | int, *, hits: int = 1, added: str = "", filling: int = 1,
    striker: str = "", strength: str = "", drop: str = "", held: str = "", flag: str = "",
) -> str:  # fmt: skip
    """One line of a record in which only totals are written down."""
    inside = ",,,," if added else "0,0,0,0,"
    return (
        f",{filling},{turn},{hit},{hits},{striker},{inside}{added},,,,,{total},{strength},{drop},"
        f"{held},,{flag}\n"
    )


def record_of(*rows: str) -> Record:
    return decode_record(HEADER + "".join(rows), "small")


def few(*totals: int, turns: tuple[int, ...] = (), **more: str) -> Record:
    """Hits from a full tower; `turns` are the hits with which a new turn begins."""
    rows, turn = [row(1, 1, totals[0], added="all", **more)], 1
    for hit, total in enumerate(totals[1:], 2):
        turn += hit in turns
        rows.append(row(turn, hit, total, added="all" if hit in turns else "", **more))
    return record_of(*rows)


class Binomial:
    """Of at most five boulders each leaves alone; the chance grows with speed and boulders left."""

    def chance(self, left: int, speed: float) -> float:
        return float(left / 44.0 / (1.0 + np.exp(1.0 - speed)))

    def one(self, left: int, total: int, speed: float) -> float:
        most, p = min(left, 5), self.chance(left, speed)
        return comb(most, total) * p**total * (1.0 - p) ** (most - total) if total <= most else 0.0

    def chances(self, features, left, condition, setups):
        return np.array(
            [
                [
                    [self.one(int(n), k, setup[c][3]) for k in range(45)]
                    for n, c in zip(left, condition, strict=True)
                ]
                for setup in setups
            ]
        )
