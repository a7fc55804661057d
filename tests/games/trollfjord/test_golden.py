"""Golden games: a log for each number of players, and the whole game as it must read.

After a change of the rules or of the texts that is meant, write them again with

    python -m tests.games.trollfjord.test_golden
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from rocktower.games.trollfjord import (
    CHANCE,
    PLAYER_COLORS,
    Acted,
    Answered,
    Header,
    Replay,
    default_board,
    encode,
    outcome,
    read_log,
    request_name,
)
from tests.games.trollfjord.helpers import answer, eager_choice

GOLDEN = Path(__file__).parent / "golden"
# Seeds whose games have gifts, role swaps, comrades, an angry spirit, and a proper end.
SEEDS = {2: 69, 3: 70, 4: 39}


def playthrough(lines: list[bytes]) -> str:
    """Write out a log: every position a turn, every prompt, what was legal, what happened."""
    replay = read_log(lines)
    texts, turns = [], -1
    for state, event in replay.steps:
        if state.turns != turns:
            turns = state.turns
            texts.append(f"\n{state}\n")
        texts.append(f"{event.n}. {state.prompt}")
        if isinstance(event, Acted):
            texts.append("   " + ", ".join(map(str, state.legal_actions())))
            texts.append(f"   > {event.action}")
        else:
            texts.append(f"   = {event.answer}")
    texts.append(f"\n{replay.state}\n")
    return "\n".join(texts)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_golden_game(players):
    for name in (f"{players}.jsonl", f"{players}.txt"):
        assert (GOLDEN / name).exists(), f"{name} is missing: see the top of this file"
    log = (GOLDEN / f"{players}.jsonl").read_bytes().splitlines()
    assert playthrough(log) == (GOLDEN / f"{players}.txt").read_text()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_golden_logs_end_and_round_trip(players):
    lines = (GOLDEN / f"{players}.jsonl").read_bytes().splitlines(keepends=True)
    replay = read_log(lines)
    assert replay.has_ended
    events = [event for _, event in replay.steps]
    assert [encode(replay.header), *map(encode, events)] == lines[:-1]


def test_golden_games_show_the_rare_things():
    texts = [(GOLDEN / f"{players}.txt").read_text() for players in (2, 3, 4)]
    for rare in ("> give", "> join", "= -", "> clear", "by tailwind", "collects a treasure"):
        assert any(rare in text for text in texts), rare


def record(players: int) -> list[bytes]:
    """Play a game and give its log."""
    header = Header(
        format="rocktower-log",
        version=1,
        game="trollfjord",
        players=("random",) * players,
        board=default_board(),
        numbers="shuffled",
        walkways="shuffled",
        source="generous",
        seed=SEEDS[players],
        versions={},
    )
    rng, replay, lines = np.random.default_rng(SEEDS[players]), Replay(header), [encode(header)]
    while not replay.has_ended:
        state, n = replay.state, replay.count + 1
        if state.is_over:
            event = outcome(state, n)
        elif state.actor == CHANCE:
            event = Answered(n, request_name(state), state.request.format(answer(state, rng)))
        else:
            event = Acted(n, PLAYER_COLORS[state.actor], str(eager_choice(state, rng)))
        replay.follow(event)
        lines.append(encode(event))
    return lines


if __name__ == "__main__":
    for number in SEEDS:
        log_lines = record(number)
        (GOLDEN / f"{number}.jsonl").write_bytes(b"".join(log_lines))
        (GOLDEN / f"{number}.txt").write_text(playthrough(log_lines))
        print(number, len(log_lines), "lines")
