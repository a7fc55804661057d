"""Tables of hits: written, read, and every fault named with its row and column."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocktower import RocktowerError
from rocktower.sampling import COLUMNS, HitTable, read_hits
from rocktower.sampling._rows import to_csv
from rocktower.sampling._table import check_suffix, encode_table
from tests.sampling.towers import filling


def same(a: HitTable, b: HitTable) -> bool:
    arrays = [name for name in HitTable.__slots__ if name not in ("order", "ages")]
    return all(np.array_equal(getattr(a, name), getattr(b, name)) for name in arrays)


def write(path: Path, rows: list) -> Path:
    path.write_bytes(encode_table([to_csv(rows).encode()], path))
    return path


@given(st.integers(0, 2**32), st.integers(1, 4), st.integers(1, 6), st.integers(0, 12))
def test_what_is_written_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, seed: int, turns: int, hits: int, most: int
) -> None:
    rng = np.random.default_rng(seed)
    rows = [row for n in (1, 2) for row in filling(rng, n, turns, hits, most=most)]
    path = write(tmp_path_factory.getbasetemp() / "hits.csv", rows)
    table, expected = read_hits(path), HitTable.from_rows(rows)
    assert same(table, expected)
    assert (table.order, table.ages) == (expected.order, expected.ages)
    assert table.unit.tolist() == [0] * turns * hits + [1] * turns * hits


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_other_programs_may_have_written_it(tmp_path: Path, ends: str) -> None:
    """With a byte order mark, other line ends, columns in another order, and one more."""
    rows = filling(np.random.default_rng(1))
    lines = write(tmp_path / "a.csv", rows).read_text().splitlines()
    turned = [",".join([*reversed(line.split(",")), "note"]) for line in lines]
    other = tmp_path / "b.csv"
    other.write_bytes(b"\xef\xbb\xbf" + ends.join(turned).encode())
    assert same(read_hits(other), read_hits(tmp_path / "a.csv"))


def test_parquet_holds_the_same(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is an extra")
    rows = filling(np.random.default_rng(2))
    table = read_hits(write(tmp_path / "a.parquet", rows))
    plain = read_hits(write(tmp_path / "a.csv", rows))
    assert same(table, plain)
    assert (table.order, table.ages) == (plain.order, plain.ages)
    assert parquet.read_schema(tmp_path / "a.parquet").names == list(COLUMNS)
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 no")
    with pytest.raises(RocktowerError, match="not a Parquet table of hits"):
        read_hits(tmp_path / "bad.parquet")


def test_without_pyarrow_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(RocktowerError, match=r"pip install 'rocktower\[parquet\]'"):
        check_suffix(Path("a.parquet"))


GOOD = (
    "1,1,1,1,left,2.0,0.1,1,1,1,1,4,2,1,1,0,0,rb,0 0,0,0,0,0,at rest",
    "1,1,1,2,right,1.5,0.1,0,0,0,0,2,0,0,0,0,0,,,0,0,0,0,at rest",
    "1,1,2,1,right,1.5,0.1,1,1,0,0,4,1,0,0,1,0,y,1,0,0,0,0,not settled",
    "1,2,1,1,left,2.0,0.1,1,1,1,1,4,0,0,0,0,0,,,0,0,0,0,at rest",
)


def test_the_small_table_is_good(tmp_path: Path) -> None:
    path = tmp_path / "hits.csv"
    path.write_text("\n".join([",".join(COLUMNS), *GOOD]))
    table = read_hits(path)
    assert table.inside.tolist() == [[1, 1, 1, 1], [0, 0, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1]]
    assert table.order == ((0, 1), (), (2,), ())
    assert table.ages == ((0, 0), (), (1,), ())
    assert table.unit.tolist() == [0, 0, 0, 1]


@pytest.mark.parametrize(
    ("row", "column", "value", "says"),
    [
        (2, "seed", "-1", "column seed: '-1': give a whole number from 0 on"),
        (2, "seed", "9" * 30, "column seed"),
        (2, "turn", "0", "column turn: '0': give a whole number from 1 on"),
        (3, "hit", "two", "column hit: 'two'"),
        (3, "hit", "²", "column hit: '²'"),
        (2, "side", "front", "column side: 'front': give left or right"),
        (2, "speed_m_s", "nan", "column speed_m_s: 'nan': give a number from 0 on"),
        (2, "height_m", "", "column height_m: ''"),
        (2, "out_red", "2", "column out_red: '2': not the 1 of column order"),
        (2, "out", "3", "column out: '3': not the 2 of column order"),
        (2, "order", "rg", "column order: 'rg': give letters of r, b, y, w"),
        (2, "ages", "0", "column ages: '0': give one for each of the 2"),
        (2, "ages", "0 x", "column ages: '0 x': give whole numbers"),
        (2, "ages", "0 1", "column ages: 1: no boulder inside was dropped in then"),
        (4, "ages", "2", "column ages: 2: no boulder"),
        (2, "left", "44", "column left: 44, but 4 are inside"),
        (3, "left", "3", "column left: 3, but 2 are inside"),
        (
            3,
            "added_red",
            "1",
            "column added_red: boulders are dropped in before a turn's",
        ),
        (3, "hit", "3", "column hit: 3 does not follow 1"),
        (4, "turn", "3", "column turn: 3 does not follow 1"),
        (4, "hit", "2", "column hit: 2: a turn begins with hit 1"),
        (5, "added_*", "0", "column added_red: a filling begins with boulders"),
        (5, "turn", "2", "column turn: 2: a filling begins with turn 1"),
        (5, "hit", "2", "column hit: 2: a turn begins with hit 1"),
        (2, "outcome", "fine", "column outcome: 'fine': give at rest or not settled"),
        (2, "back_red", "1.5", "column back_red: '1.5'"),
    ],
)
def test_a_fault_is_named_with_its_row_and_column(
    tmp_path: Path, row: int, column: str, value: str, says: str
) -> None:
    lines = [line.split(",") for line in GOOD]
    for place, name in enumerate(COLUMNS):
        if name == column or (column == "added_*" and name.startswith("added_")):
            lines[row - 2][place] = value
    path = tmp_path / "hits.csv"
    path.write_text("\n".join([",".join(COLUMNS), *(",".join(line) for line in lines)]))
    with pytest.raises(RocktowerError, match=rf"hits\.csv: row {row}, {re.escape(says)}"):
        read_hits(path)


HEADER = ",".join(COLUMNS)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "row 1: column seed is missing"),
        ("a,b\n1,2\n", "row 1: column seed is missing"),
        (HEADER.replace("order,", "") + "\n", "row 1: column order is missing"),
        (HEADER + ",hit\n", "row 1: there are two columns hit"),
        (HEADER + "\n", "there are no hits in it"),
        (HEADER + "\n" + GOOD[0][:28] + "\n", "row 2: has 11 values for 24 columns"),
        (HEADER + "\n" + "\n".join([*GOOD, GOOD[0]]), "row 6, column filling: 1 has been there"),
        (HEADER + "\n" + GOOD[0].replace("1", "2,", 1), "row 2: has 25 values"),
        (HEADER + "\n" + GOOD[0] + '\n"1"x,', "row 3: "),
        (
            HEADER + "\n" + GOOD[0].replace(",2,1,1,0,0,rb,0 0,", ",2,2,0,0,0,rr,0 0,"),
            "row 2, column out_red: 2, but only 1 are inside",
        ),
    ],
)
def test_a_malformed_file_is_one_clear_line(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "hits.csv"
    path.write_text(text)
    with pytest.raises(RocktowerError, match=rf"hits\.csv: {re.escape(says)}") as caught:
        read_hits(path)
    assert "\n" not in str(caught.value)


def test_what_is_no_text_or_not_there_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RocktowerError, match="no text"):
        read_hits(tmp_path / "x.csv")
    with pytest.raises(RocktowerError, match="no such file"):
        read_hits(tmp_path / "y.csv")
    with pytest.raises(RocktowerError, match=r"ends in \.csv or \.parquet"):
        check_suffix(Path("hits.txt"))
