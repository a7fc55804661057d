"""The sampler in JavaScript gives the same hits as the one in Python from the same numbers."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rocktower.emulator import SAMPLER_FILE, TABLE_FILE, Emulator, export_table

PAGE = Path(__file__).parents[2] / "docs" / "emulator.md"
NODE = shutil.which("node")

SCRIPT = """
import { readFileSync } from "node:fs";
import { Emulator } from "./sampler.mjs";
const read = (name) => JSON.parse(readFileSync(name, "utf8"));
const emulator = new Emulator(read("emulator.json"));
const games = read("vectors.json").map(({ inside, turns, numbers }) => {
  let at = 0;
  const random = () => numbers[at++];
  let tower = emulator.filled(inside);
  const hits = [], chances = [];
  turns.forEach((turn, number) => {
    if (number) tower = emulator.newTurn(tower, turn.putBack);
    for (let hit = 0; hit < turn.hits; hit += 1) {
      chances.push(emulator.chances(tower));
      const { out, tower: after } = emulator.strike(tower, random);
      hits.push(out);
      tower = after;
    }
  });
  return { hits, chances, tower, used: at };
});
console.log(JSON.stringify(games));
"""


class Tape:
    """A generator that keeps the numbers that it gave."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self.numbers: list[float] = []

    def random(self, size=None):
        values = self._rng.random(size)
        self.numbers += np.ravel(values).tolist()
        return values


def vectors(emulator: Emulator, games: int) -> tuple[list[dict], list[dict]]:
    """What JavaScript is given, and what it is to find."""
    given, wanted = [], []
    rng = np.random.default_rng(3)
    for seed in range(games):
        inside = rng.integers(0, 12, 4) if seed % 2 else np.full(4, 11)
        tape, towers = Tape(seed), emulator.filled(inside[None])
        hits, chances, turns = [], [], []
        for turn in range(3):
            back = inside - towers.inside[0]
            if turn:
                towers = towers.new_turn(back)
            turns.append({"hits": int(rng.integers(1, 10)), "putBack": back.tolist()})
            for _ in range(turns[-1]["hits"]):
                chances.append(emulator.totals(towers)[0])
                out, towers = emulator.strike(towers, tape)  # type: ignore[arg-type]
                hits.append(out[0].tolist())
        given.append({"inside": inside.tolist(), "turns": turns, "numbers": tape.numbers})
        tower = {"layers": towers.layers[0].tolist(), "memory": int(towers.memory[0])}
        wanted.append({"hits": hits, "chances": chances, "tower": tower, "used": len(tape.numbers)})
    return given, wanted


@pytest.mark.skipif(NODE is None, reason="needs node")
@pytest.mark.parametrize("kind", ["shipped", "large hits"])
def test_javascript_gives_the_same_hits(tmp_path: Path, kind: str) -> None:
    emulator = Emulator.load()
    if kind == "large hits":  # 20 and more of a full tower, which the shipped one hardly ever has
        chances = emulator.chances.copy()
        full = np.arange(len(chances)) % 45 > 20
        chances[full, 20] += chances[full, 1]
        chances[full, 1] = 0
        emulator = replace(emulator, chances=chances, tail=0.8)
    export_table(emulator, tmp_path)
    given, wanted = vectors(emulator, 40)
    (tmp_path / "vectors.json").write_text(json.dumps(given))
    (tmp_path / "script.mjs").write_text(SCRIPT)
    done = subprocess.run(
        [NODE, "script.mjs"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    for a, b in zip(found, wanted, strict=True):
        assert a["hits"] == b["hits"]
        assert a["tower"] == b["tower"]
        assert a["used"] == b["used"]
        for short, long in zip(a["chances"], b["chances"], strict=True):
            told = np.zeros(21)
            told[: len(short)] = np.array(short) / (1 << 16)
            assert np.allclose(told[:20], long[:20])
            assert told[20] == pytest.approx(long[20:].sum())
    if kind == "large hits":
        assert max(sum(hit) for game in found for hit in game["hits"]) > 22


@pytest.mark.skipif(NODE is None, reason="needs node")
def test_the_example_of_the_page_runs(tmp_path: Path) -> None:
    (example,) = re.findall(r"```js\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    export_table(Emulator.load(), tmp_path)
    (tmp_path / "turn.mjs").write_text(example)
    done = subprocess.run(
        [NODE, "turn.mjs"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    *hits, tower = done.stdout.splitlines()
    assert len(hits) == 10
    assert sum(map(sum, json.loads(tower)["layers"])) == 44


def test_the_table_is_whole(tmp_path: Path) -> None:
    emulator = Emulator.load()
    export_table(emulator, tmp_path / "made")
    assert sorted(p.name for p in (tmp_path / "made").iterdir()) == [TABLE_FILE, SAMPLER_FILE]
    table = json.loads((tmp_path / "made" / TABLE_FILE).read_text())
    assert table["emulator_hash"] == emulator.hash
    assert table["tower_hash"] == emulator.tower_hash
    rows = [row for memory in table["chances"] for group in memory for row in group]
    assert len(rows) == len(emulator.chances)
    assert all(sum(row) == table["whole"] and row[-1] > 0 for row in rows)
