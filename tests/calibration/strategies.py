"""Files of recorded hits as owners may write them: any protocol, fine and coarse rows mixed."""

from hypothesis import strategies as st

from rocktower.calibration import CHOICES, Amount, Row
from rocktower.games.trollfjord import ALL_BOULDERS, Boulders

LETTERS = st.characters(min_codepoint=32, max_codepoint=0x2FF).filter(str.isprintable)
TEXTS = st.text(LETTERS, max_size=20).map(str.strip)


def optional(column: str) -> st.SearchStrategy[str | None]:
    return st.sampled_from((None, *CHOICES[column]))


def records(max_rows: int = 12) -> st.SearchStrategy[list[Row]]:
    """Rows that can follow each other."""
    return histories(max_rows).map(lambda history: history[0])


@st.composite
def histories(
    draw: st.DrawFn, max_rows: int = 12
) -> tuple[list[Row], list[tuple[list[int], list[int]]]]:
    """What was written down, and the truth: what was inside before and what came out.

    The truth is drawn first, and then written down more or less fully.
    """
    rows: list[Row] = []
    truth: list[tuple[list[int], list[int]]] = []
    filling = turn = hit = 0
    inside: list[int] = []
    table: list[int] = []
    exact = True  # whether the rows so far say what lies on the table
    for _ in range(draw(st.integers(0, max_rows))):
        added_total = None
        added: tuple[int | None, ...] = (0, 0, 0, 0)
        if not rows or draw(st.integers(0, 9)) == 0:
            filling, turn, hit = filling + 1, 1, 1
            inside = [draw(st.integers(0, 11)) for _ in ALL_BOULDERS]
            inside[0] = max(inside[0], 1)
            table, exact = [0] * 4, True
            added = tuple(inside)
            if draw(st.booleans()):
                inside = list(ALL_BOULDERS)
                added, added_total = (None,) * 4, "all"
        else:
            hit += rows[-1].hits
            turn += draw(st.booleans())
            if draw(st.booleans()):
                back = table if not exact else [draw(st.integers(0, n)) for n in table]
                added, added_total = tuple(back), None
                if back == table and draw(st.booleans()):
                    added, added_total = (None,) * 4, "all"
                elif draw(st.booleans()):
                    hidden = draw(st.integers(0, 3))
                    added = tuple(None if i <= hidden else n for i, n in enumerate(added))
                    added_total = sum(back)
                    exact = False
                table = [n - b for n, b in zip(table, back, strict=True)]
                inside = [n + b for n, b in zip(inside, back, strict=True)]
                if not any(table):
                    exact = True
        out = [draw(st.integers(0, min(n, 3))) for n in inside]
        written, total = tuple(map(Amount.of, out)), None
        if draw(st.booleans()):
            total = draw(st.sampled_from((Amount.of(sum(out)), Amount(sum(out), 44))))
            if draw(st.booleans()):
                known = draw(st.integers(0, 3))
                written = tuple(Amount(n if i == known else 0, 11) for i, n in enumerate(out))
                exact = False
        rows.append(
            Row(
                session=draw(st.sampled_from(("", "2026-11-30", "2026-12-01b"))),
                filling=filling,
                turn=turn,
                hit=hit,
                hits=draw(st.integers(1, 3)),
                added=added,
                added_total=added_total,
                out=written,
                out_total=total,
                back=Boulders(*(draw(st.integers(0, 2)) for _ in range(4))),
                striker=draw(TEXTS),
                strength=draw(optional("strength")),
                drop_cm=draw(st.none() | st.integers(1, 2000).map(lambda n: n / 10)),
                side=draw(optional("side")),
                held=draw(optional("held")),
                flag=draw(optional("flag")),
                note=draw(TEXTS),
                extra=(("weather", draw(TEXTS)), ("mood", draw(TEXTS))),
            )
        )
        truth.append((inside, out))
        inside = [n - b for n, b in zip(inside, out, strict=True)]
        table = [n + b for n, b in zip(table, out, strict=True)]
    return rows, truth
