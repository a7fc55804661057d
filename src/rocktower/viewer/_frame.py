"""What one picture shows: plain values, from which the drawing code makes pixels."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from rocktower.tower import Contacts, Side, TowerModel

__all__ = ["Banner", "Blow", "Frame", "HitLine", "Moment", "Panel"]


@dataclass(frozen=True, slots=True)
class Moment:
    """Tower and boulders at one moment.

    Attributes
    ----------
    tower
        x and y of the middle of the base (m), and the tilt (rad, counter-clockwise).
    poses
        Shape (n, 3): x, y (m, above the table) and angle (rad) of each boulder; NaN for one that
        is not in the tower.
    velocities
        Shape (n, 2), m/s, or None where nothing moves.
    contacts
        Contact forces, boulders by row of `poses`, or None if they are not known.
    flying
        Boulders on their way from the outlet to their place on the table: row -> share of the
        way, 0 to 1.
    """

    tower: tuple[float, float, float]
    poses: NDArray[np.float64]
    velocities: NDArray[np.float64] | None = None
    contacts: Contacts | None = None
    flying: Mapping[int, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Blow:
    """The hammer: where it strikes, how fast (m/s), how far it is from the wall (m).

    `spark` is how fresh the blow is, 1 as it lands, 0 when that is over. An aim is labeled.
    """

    side: Side
    height: float
    speed: float
    gap: float
    spark: float = 0.0
    is_aim: bool = False


@dataclass(frozen=True, slots=True)
class HitLine:
    """One hit of the history: its number, the strike in words, and what came out, in order."""

    number: int
    strike: str
    colors: tuple[str, ...]
    is_diverged: bool = False


@dataclass(frozen=True, slots=True)
class Banner:
    """An event, written across the stage."""

    text: str
    detail: str = ""
    kind: Literal["quiet", "alarm"] = "quiet"


@dataclass(frozen=True, slots=True)
class Panel:
    """Everything that is written: hashable, so that it is painted anew only when it changes.

    Attributes
    ----------
    title, subtitle
        What this is, or who hammers and who is the comrade.
    counts
        Boulders out by color, in the order of `rocktower.tower.COLORS`.
    limit
        Hit limit, which is the color limit; None where there is none.
    hits
        Which of the hits so far were empty.
    history
        The last hits, the newest first.
    chips
        Settings as (name, value), beside the tower.
    footer
        Lines such as the seed.
    """

    title: str
    subtitle: str
    counts: tuple[int, int, int, int]
    limit: int | None
    hits: tuple[bool, ...]
    history: tuple[HitLine, ...]
    chips: tuple[tuple[str, str], ...]
    footer: tuple[str, ...]
    shows_marks: bool = True


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture.

    Attributes
    ----------
    model
        The tower; how it is held and covered is drawn as well.
    colors
        The color of each boulder, by row.
    moment
        Where tower and boulders are.
    table
        The rows of the boulders on the table, hit by hit, in the order in which they came out.
    panel
        What is written beside it; None for the tower alone.
    blow
        The hammer, if it is shown.
    heat
        Shape (rows, columns), 0 to 1, over the tower's clear width and height from the bottom
        left: how often boulders were there; or None.
    prompt
        A line that is being typed.
    help
        Pages of (key, what it does), shown over everything; empty for none.
    """

    model: TowerModel
    colors: tuple[str, ...]
    moment: Moment
    table: tuple[tuple[int, ...], ...] = ()
    panel: Panel | None = None
    blow: Blow | None = None
    banner: Banner | None = None
    shows_marks: bool = True
    shows_forces: bool = False
    shows_velocities: bool = False
    heat: NDArray[np.float64] | None = None
    prompt: str | None = None
    help: tuple[tuple[str, str], ...] = ()
