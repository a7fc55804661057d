"""What every session has in common: playback, overlays, help, events. No pygame, no clock."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rocktower.tower import COLORS
from rocktower.viewer._frame import Banner, Blow, Frame, HitLine, Moment, Panel
from rocktower.viewer._heat import density
from rocktower.viewer._keys import KEYS, find_key
from rocktower.viewer._playback import RATES, Player, Recording

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from rocktower.tower import Side, Strike, TowerModel

__all__ = ["Job", "Show", "Struck", "excess"]

_NOTICE = 2.5  # s that a notice stays
_LAST_LOOK = 1.0  # s that a movie stays on the end of a hit
_COVERS = {0.0: "open", 0.5: "half", 1.0: "all"}


@dataclass(frozen=True)
class Job:
    """Something slow that is due: `run` is done in a worker, `done` takes what it returns."""

    run: Callable[[], Any]
    done: Callable[[Any], None]


@dataclass(frozen=True, eq=False)
class Struck:
    """A hit to be shown: what was done, what came out (by row), how it went."""

    number: int
    strike: Strike | None
    rows: tuple[int, ...]
    recording: Recording
    diverged: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing came out."""
        return not self.rows


class Show:
    """A tower that is watched: the base of all sessions.

    A key is a command; the window only passes on keys, the mouse and the time that went by. What
    only the window can do it finds in `wishes`.

    Attributes
    ----------
    model
        The tower, as it is held now.
    job
        What a worker is to do next; the window runs it and hands the result to `finish`.
    wishes
        What the window is to do: "quit", "fullscreen", "picture", "movie".
    """

    def __init__(self, model: TowerModel) -> None:
        self.model = model
        self.colors = tuple(boulder.color for boulder, _ in model.all_boulders)
        self.player: Player | None = None
        self.rate = 1.0
        self.shows_marks = True
        self.shows_forces = self.shows_velocities = self.shows_heat = False
        self.is_help_open = False
        self.job: Job | None = None
        self.wishes: list[str] = []
        self.prompt: str | None = None
        self._is_filming = False
        self._notice: tuple[str, float] | None = None
        self._heat: tuple[tuple[Struck, ...], NDArray[np.float64]] | None = None

    # What a session tells of itself.

    @property
    def hits(self) -> tuple[Struck, ...]:
        """The hits since the tower was last filled, in order."""
        raise NotImplementedError

    @property
    def rest(self) -> Moment:
        """The tower while nothing plays."""
        raise NotImplementedError

    @property
    def title(self) -> str:
        """What this is."""
        return "Rock Tower"

    @property
    def subtitle(self) -> str:
        """More about it."""
        return ""

    @property
    def footer(self) -> tuple[str, ...]:
        """Lines such as the seed."""
        return ()

    @property
    def limit(self) -> int | None:
        """The hit limit, which is the color limit."""
        return None

    @property
    def counted(self) -> tuple[int, int, int, int]:
        """Boulders out by color, as far as they can be seen to be out."""
        counts = Counter(self.colors[row] for hit in self.table for row in hit)
        red, blue, yellow, white = (counts[color] for color in COLORS)
        return red, blue, yellow, white

    @property
    def chips(self) -> tuple[tuple[str, str], ...]:
        """Settings, as (name, value)."""
        cover = _COVERS.get(self.model.cover, f"{100 * self.model.cover:.0f} %")
        return (("grip", self.model.grip.name), ("top covered", cover))

    @property
    def aimed(self) -> Blow | None:
        """The hammer while nothing plays."""
        return None

    # Commands.

    @cached_property
    def commands(self) -> dict[str, Callable[[], None]]:
        """Every command by its name."""
        return {
            "replay": self.replay,
            "pause": self.pause,
            "step": lambda: self.step(1),
            "step-back": lambda: self.step(-1),
            "slow": self.slow,
            "forces": lambda: self.toggle("shows_forces"),
            "velocities": lambda: self.toggle("shows_velocities"),
            "heat": lambda: self.toggle("shows_heat"),
            "marks": lambda: self.toggle("shows_marks"),
            "help": lambda: self.toggle("is_help_open"),
            **{wish: self._wisher(wish) for wish in ("picture", "movie", "fullscreen", "quit")},
        }

    def _wisher(self, wish: str) -> Callable[[], None]:
        return lambda: self.wishes.append(wish)

    def key(self, name: str, *, is_held: bool = False) -> None:
        """Do what a key stands for, by pygame's name of the key; `is_held` if it still is down."""
        key = find_key(name, self.commands)
        if is_held and not (self.prompt is not None or (key is not None and key.repeats)):
            return
        if self.is_help_open:
            self.is_help_open = False
        elif self.prompt is not None:
            self.type(name)
        elif key is not None:
            self.commands[key.command]()

    def type(self, name: str) -> None:
        """Take a key while something is typed."""

    def press(self, side: Side, height: float) -> None:
        """Take a mouse button that goes down beside the tower."""

    def pull(self, distance: float) -> None:
        """Take a mouse that moves away from the wall by a distance (m) with its button down."""

    def release(self) -> None:
        """Take a mouse button that goes up."""

    def cancel(self) -> None:
        """Take the other mouse button: not this blow."""

    def toggle(self, name: str) -> None:
        """Switch something on or off."""
        setattr(self, name, not getattr(self, name))

    def slow(self) -> None:
        """Play at the next slower rate; after the slowest at the right one."""
        self.rate = RATES[(RATES.index(self.rate) + 1) % len(RATES)]
        if self.player is not None:
            self.player.rate = self.rate

    def play(self, recording: Recording) -> None:
        """Begin to play a recording."""
        self._notice = None
        self.player = Player(recording, self.rate)

    def replay(self) -> None:
        """Play the last hit again."""
        if self.player is not None:
            self.player.restart()
        elif self.hits:
            self.play(self.hits[-1].recording)
        else:
            self.notify("no hit yet")

    def pause(self) -> None:
        """Pause, or go on; at the end there is nothing to pause."""
        if self.player is not None and not self.player.is_over:
            self.player.is_paused = not self.player.is_paused

    def step(self, count: int) -> None:
        """Go to the next (1) or the last (-1) frame of the trace."""
        if self.player is None and self.hits:
            self.player = Player(self.hits[-1].recording, self.rate, at_end=True)
        if self.player is not None:
            self.player.step(count)

    def skip(self) -> bool:
        """End what plays; return whether something did."""
        if self.player is None or self.player.is_over:
            return False
        self.player.finish()
        return True

    def notify(self, text: str) -> None:
        """Show a line for a moment."""
        self._notice = (text, _NOTICE)

    def finish(self, result: Any) -> None:
        """Take what the job returned."""
        job, self.job = self.job, None
        if job is not None:
            job.done(result)

    def failed(self, error: Exception) -> None:
        """Take the error that ended the job."""
        self.job = None
        self.notify(str(error))

    def advance(self, seconds: float) -> None:
        """Let time go by."""
        if self.player is not None:
            self.player.advance(seconds)
        if self._notice is not None:
            text, left = self._notice
            self._notice = (text, left - seconds) if left > seconds else None

    # The picture.

    @property
    def is_playing(self) -> bool:
        """Whether a recording is on and not at its end."""
        return self.player is not None and not self.player.is_over

    @property
    def is_moving(self) -> bool:
        """Whether the next picture may differ from this one without any key."""
        plays = self.player is not None and self.is_playing and not self.player.is_paused
        return plays or self._notice is not None or self.job is not None

    @property
    def table(self) -> tuple[tuple[int, ...], ...]:
        """Rows of the boulders on the table, hit by hit, as far as they have come out."""
        done = [hit.rows for hit in self.hits]
        if self.player is not None and self.is_playing and done:
            done[-1] = self.player.recording.out_at(self.player.time)
        return tuple(done)

    def banner(self) -> Banner | None:
        """Return the event of the last hit, once it has been seen."""
        if not self.hits or self.is_playing:
            return None
        hit, limit, counts = self.hits[-1], self.limit, self.counted
        if hit.diverged:
            return Banner("DIVERGED", hit.diverged, "alarm")
        if limit is not None and excess(counts, limit):
            colors = [
                f"{count} {color}"
                for color, count in zip(COLORS[:3], counts[:3], strict=True)
                if count > limit
            ]
            detail = f"{' and '.join(colors)} of at most {limit}"
            return Banner("The mountain spirit is angry", detail, "alarm")
        if hit.is_empty:
            return Banner("EMPTY HIT", self.empty_hit_detail)
        if limit is not None and len(self.hits) >= limit:
            return Banner("Hit limit reached", f"{limit} of {limit} hits")
        return None

    @property
    def empty_hit_detail(self) -> str:
        """What an empty hit means here."""
        return "nothing fell out: hammerer and comrade swap roles"

    def frame(self) -> Frame:
        """Return the picture of this moment."""
        player, blow = self.player, self.aimed
        moment = self.rest
        if player is not None:
            moment = player.recording.at(player.time)
            if not player.is_over or blow is None:
                blow = player.recording.blow_at(player.time)
        banner = Banner(self._notice[0]) if self._notice is not None else self.banner()
        return Frame(
            self.model,
            self.colors,
            moment,
            self.table,
            self._panel(),
            blow,
            banner,
            self.shows_marks,
            self.shows_forces,
            self.shows_velocities,
            self.heat() if self.shows_heat else None,
            self.prompt,
            self.help if self.is_help_open else (),
        )

    def picture(self) -> Frame:
        """Return the picture of this moment as one saves it: without notices."""
        return replace(self.frame(), banner=self.banner())

    def film(self, frames_per_second: int) -> list[Frame]:
        """Return the last hit as the frames of a movie, at the rate of the playback."""
        if not self.hits:
            return []
        before = self.player
        player = self.player = Player(self.hits[-1].recording, self.rate)
        self._is_filming = True
        frames = []
        while not player.is_over:
            frames.append(self.frame())
            player.advance(1.0 / frames_per_second)
        frames += [self.frame()] * round(_LAST_LOOK * frames_per_second)
        self.player, self._is_filming = before, False
        return frames

    def _panel(self) -> Panel:
        seen = self.hits[:-1] if self.is_playing else self.hits
        rate = Fraction(self.rate).limit_denominator(20)
        speed = "real time" if rate == 1 else f"{rate} of real time"
        if self.player is not None and self.player.is_paused:
            speed += f", paused at {1000 * self.player.time:.0f} ms"
        shown = [
            word
            for word, is_on in (
                ("forces", self.shows_forces),
                ("velocities", self.shows_velocities),
                ("density", self.shows_heat),
            )
            if is_on
        ]
        chips = (*self.chips, ("playback", speed))
        if self.is_playing and self.player is not None and self.player.recording.strike is not None:
            chips = (("strike", str(self.player.recording.strike)), *chips)
        if shown:
            chips += (("shown", ", ".join(shown)),)
        if self.job is not None:
            chips += (("", "one moment"),)
        return Panel(
            self.title,
            self.subtitle,
            self.counted,
            self.limit,
            tuple(hit.is_empty for hit in seen),
            tuple(
                HitLine(
                    hit.number,
                    "not simulated" if hit.strike is None else str(hit.strike),
                    tuple(self.colors[row] for row in hit.rows),
                    bool(hit.diverged),
                )
                for hit in reversed(seen)
            ),
            chips if self._is_filming else (*chips, ("help", "H")),
            self.footer,
            self.shows_marks,
        )

    @cached_property
    def help(self) -> tuple[tuple[str, str], ...]:
        """The keys of this session, as (keys, what they do)."""
        return tuple((k.label, k.meaning) for k in KEYS if k.label and k.command in self.commands)

    def heat(self) -> NDArray[np.float64] | None:
        """Return the density of boulders over the hits that are shown, 0 to 1."""
        hits = self.hits
        if self._heat is None or self._heat[0] != hits:
            geometry = self.model.geometry
            self._heat = (
                hits,
                density([hit.recording for hit in hits], geometry.inner_width, geometry.height),
            )
        return self._heat[1]


def excess(counts: tuple[int, int, int, int], limit: int) -> int:
    """Count the boulders beyond the color limit; white is no color (rulebook, B3)."""
    return sum(max(count - limit, 0) for count in counts[:3])
