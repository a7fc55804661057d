"""Logs in the window: their hits, simulated again one by one, forward and back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeGuard

import numpy as np

from rocktower.errors import RocktowerError
from rocktower.games.trollfjord import PLAYER_COLORS, Answered, fortress_name
from rocktower.play import PhysicsTower
from rocktower.tower import COLORS, TowerModel
from rocktower.viewer._frame import Moment
from rocktower.viewer._playback import Player, Recording
from rocktower.viewer._show import Job, Show, Struck

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from rocktower.games.trollfjord import Boulders, Replay, State
    from rocktower.tower import HammeringLog, Replayed, Strike, StrikeResult, TowerState

__all__ = ["LogReplay", "crew_of", "is_hit", "rows_for"]

_STILL = (0.0, 0.0, 0.0)


@dataclass(frozen=True, eq=False)
class _Scene:
    """A hit of a log: the hit, and what is to be said beside it."""

    struck: Struck
    is_first: bool  # of a turn: the tower is full, the table is empty
    limit: int | None = None
    subtitle: str = ""


class LogReplay(Show):
    """The hits of a log, one by one.

    Parameters
    ----------
    model
        The tower that the log was made with.
    scenes
        Gives the hits, simulating each when it is asked for.
    total
        How many there are.
    filled
        The tower before the first one; None if it is not known.
    about, notes
        What is said where a hit says nothing else; lines such as the seed.
    """

    def __init__(
        self,
        model: TowerModel,
        scenes: Iterator[_Scene],
        total: int,
        filled: TowerState | None,
        about: str,
        notes: Sequence[str],
    ) -> None:
        super().__init__(model)
        self._source = scenes
        self._scenes: list[_Scene] = []
        self.total = total
        self._at = -1  # the hit that is shown; -1 before the first
        self._filled = filled
        self._about = about
        self._notes = tuple(notes)
        self.commands |= {
            "next": self.next,
            "previous": self.previous,
            "first": self.first,
            "last": self.last,
        }

    @classmethod
    def of_hammering(cls, log: HammeringLog, model: TowerModel, name: str) -> LogReplay:
        """Show a hammering log; `model` is its tower, held as the log says.

        Raises
        ------
        RocktowerError
            If it is another tower.
        """
        scenes = (_hammered(model, replayed) for replayed in log.replay(model, trace=True))
        notes = (f"seed {log.header.get('seed')}", f"tower {model.name}")
        return cls(model, scenes, len(log.hits), log.filled, f"log {name}", notes)

    @classmethod
    def of_strikes(
        cls,
        model: TowerModel,
        filled: TowerState,
        struck: Sequence[tuple[Strike, StrikeResult]],
        about: str,
        notes: Sequence[str],
    ) -> LogReplay:
        """Show strikes that were just simulated, with their traces."""
        scenes = (_struck(model, number, *each) for number, each in enumerate(struck, 1))
        return cls(model, scenes, len(struck), filled, about, notes)

    @classmethod
    def of_game(cls, game: Replay, path: Path | None, name: str) -> LogReplay:
        """Show the hits of a Trollfjord log, from the tower model in a file.

        Raises
        ------
        RocktowerError
            If the model cannot be read, or the game was played with another one.
        """
        seed, source = game.header.seed, game.header.source
        total = sum(is_hit(event) for _, event in game.steps)
        if source == "physics":
            tower = PhysicsTower(game.header, path, is_traced=True)
            notes = (f"seed {seed}", f"tower {tower.model.name}")
            return cls(tower.model, _played(tower, game), total, tower.state, f"log {name}", notes)
        notes = (f"seed {seed}", f"recorded results; source {source}: no motion is known")
        model = TowerModel.load(path)
        return cls(model, _recorded(model, game), total, None, f"log {name}", notes)

    @property
    def hits(self) -> tuple[Struck, ...]:
        """The hits of this turn, up to the one that is shown."""
        found: list[Struck] = []
        for scene in reversed(self._scenes[: self._at + 1]):
            found.append(scene.struck)
            if scene.is_first:
                break
        return tuple(reversed(found))

    @property
    def limit(self) -> int | None:
        """The limit of this turn; a hammering log has none."""
        return self._scenes[self._at].limit if self._at >= 0 else None

    @property
    def rest(self) -> Moment:
        """The tower before the first hit."""
        if self._filled is None:
            return Moment(_STILL, np.full((len(self.colors), 3), np.nan))
        return Moment(_STILL, self._filled.poses)

    @property
    def title(self) -> str:
        """Where in the log this is."""
        return f"Hit {self._at + 1} of {self.total}"

    @property
    def subtitle(self) -> str:
        """Whose turn it is, or the log's name."""
        said = self._scenes[self._at].subtitle if self._at >= 0 else ""
        return said or self._about

    @property
    def footer(self) -> tuple[str, ...]:
        """Seed and tower."""
        return self._notes

    @property
    def chips(self) -> tuple[tuple[str, str], ...]:
        """How the tower was held, if there was one."""
        return () if self._filled is None else super().chips

    def next(self) -> None:
        """Play the next hit; if one plays, see its end first."""
        if not self.skip():
            self._go(self._at + 1, plays=True)

    def previous(self) -> None:
        """Go back to the hit before this one, as it came to rest."""
        self._go(self._at - 1, plays=False)

    def first(self) -> None:
        """Go to the tower before the first hit."""
        self._go(-1, plays=False)

    def last(self) -> None:
        """Go to the last hit, as it came to rest."""
        self._go(self.total - 1, plays=False)

    def _simulated(self, count: int) -> Iterator[_Scene]:
        for _ in range(count):
            scene = next(self._source, None)
            if scene is None:  # after an error there is no more
                raise RocktowerError("the rest of this log cannot be simulated")
            yield scene

    def _go(self, place: int, *, plays: bool) -> None:
        if self.job is not None:
            return
        if not -1 <= place < self.total:
            self.notify("this was the last hit" if place >= self.total else "before the first hit")
            return
        missing = place + 1 - len(self._scenes)

        def done(scenes: list[_Scene]) -> None:
            self._scenes += scenes
            self._at = place
            if place < 0:
                self.player = None
                return
            recording = self._scenes[place].struck.recording
            self.player = Player(recording, self.rate, at_end=not plays)

        if missing > 0:
            self.job = Job(lambda: list(self._simulated(missing)), done)
        else:
            done([])


def crew_of(position: State) -> tuple[str, str]:
    """Say who hammers; and who is the comrade, and where."""
    hammering = position.hammering
    names = [PLAYER_COLORS[player] for player in hammering.crew] or ["nobody"]
    where = f"fortress {fortress_name(position, hammering.fortress)}"
    comrade = f"{names[1]} is the comrade, {where}" if len(names) > 1 else f"alone, {where}"
    return f"{names[0]} hammers", comrade


def _hammered(model: TowerModel, replayed: Replayed) -> _Scene:
    logged = replayed.logged
    places = {boulder.id: row for row, boulder in enumerate(logged.before.boulders)}
    rows = tuple(places[number] for number in logged.boulders)
    recording = Recording.of(model, logged.strike, replayed.result)
    struck = Struck(logged.number, logged.strike, rows, recording, replayed.difference)
    return _Scene(struck, is_first=logged.number == 1)


def _struck(model: TowerModel, number: int, strike: Strike, result: StrikeResult) -> _Scene:
    recording = Recording.of(model, strike, result)
    rows = tuple(row for row, _ in recording.out)
    return _Scene(Struck(number, strike, rows, recording), is_first=number == 1)


def is_hit(event: object) -> TypeGuard[Answered]:
    """Whether an event of a game is a hit."""
    return isinstance(event, Answered) and event.request == "hit"


def _played(tower: PhysicsTower, game: Replay) -> Iterator[_Scene]:
    """Simulate the hits of a game again."""
    for hit in tower.follow(game):
        recording = Recording.of(tower.model, hit.blow, hit.result)
        diverged = ""
        if not hit.agrees:
            diverged = f"recorded {hit.recorded}, simulated here {_text(hit.result)}"
        before = [row for row, inside in enumerate(hit.before.is_inside) if not inside]
        simulated = [row for row, _ in recording.out]
        rows = rows_for(tower.model, hit.recorded, before, simulated)
        now = hit.position.hammering
        struck = Struck(now.hits + 1, hit.blow, rows, recording, diverged)
        yield _Scene(struck, now.hits == 0, now.limit, ", ".join(crew_of(hit.position)))


def _text(result: StrikeResult) -> str:
    counts = result.hit.counts
    return " ".join(f"{color[0]}{counts[color]}" for color in COLORS if counts[color]) or "-"


def _recorded(model: TowerModel, game: Replay) -> Iterator[_Scene]:
    """Show the hits that something else than the physics gave."""
    on_table: list[int] = []
    for position, event in game.steps:
        if not is_hit(event):
            continue
        now = position.hammering
        if now.hits == 0:
            on_table = []
        rows = rows_for(model, position.request.parse(event.answer), on_table, ())
        on_table += rows
        recording = Recording.unseen(rows, len(model.all_boulders))
        struck = Struck(now.hits + 1, None, rows, recording)
        yield _Scene(struck, now.hits == 0, now.limit, ", ".join(crew_of(position)))


def rows_for(
    model: TowerModel, hit: Boulders, taken: Sequence[int], preferred: Sequence[int]
) -> tuple[int, ...]:
    """Choose boulders for counts by color: those that were simulated, if there are enough."""
    left = dict(zip(COLORS, hit, strict=True))
    colors = [boulder.color for boulder, _ in model.all_boulders]
    chosen = []
    for row in [*preferred, *(row for row in range(len(colors)) if row not in preferred)]:
        if row not in taken and left[colors[row]]:
            left[colors[row]] -= 1
            chosen.append(row)
    return tuple(chosen)
