"""How a tower looks to those who watch: rounded positions, outlines, the frames of a hit."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from rocktower.tower import wood_outlines

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocktower.tower import StrikeResult, TowerModel, TowerState

__all__ = ["FRAME_S", "encode_frames", "picture", "rounded"]

FRAME_S = 0.025
"""Time between two frames, s."""

_UNITS = np.array([1e4, 1e4, 1e3])  # to tenths of a millimetre and thousandths of a radian

Pose = tuple[int, int, int]


def rounded(poses: NDArray[np.float64]) -> list[Pose | None]:
    """Round poses to what is shown of them: 0.1 mm, 0.1 mm, 1 mrad; None for who is not there.

    More than this nobody sees while the tower is open, because a hit follows from the exact ones.
    """
    shown: list[Pose | None] = []
    for x, y, angle in (poses * _UNITS).tolist():
        shown.append(None if x != x else (round(x), round(y), round(angle)))
    return shown


def picture(model: TowerModel, state: TowerState) -> dict[str, Any]:
    """Describe a tower at rest: wood, boulders, and where they lie."""
    geometry = model.geometry
    edges = [grain.vertices for _, grain in model.all_boulders]
    radius = model.boulders.edge_radius
    return {
        "width_mm": _mm(geometry.inner_width + 2.0 * geometry.wall_thickness),
        "height_mm": _mm(geometry.height),
        "inner_width_mm": _mm(geometry.inner_width),
        "wall_mm": _mm(geometry.wall_thickness),
        "floor_mm": _mm(geometry.floor_height),
        "grip_mm": _mm(model.grip.height),
        "cover": model.cover,
        "walls": [[[_mm(x), _mm(y)] for x, y in line] for line in wood_outlines(geometry)],
        "boulder_mm": _mm(model.boulders.edge),
        "boulders": [
            {"id": b.id, "color": b.color, "edge_mm": _mm(2.0 * (abs(corners[0][0]) + radius))}
            for b, corners in zip(state.boulders, edges, strict=True)
        ],
        "poses": rounded(state.poses),
    }


def _mm(length: float) -> float:
    return round(length * 1000.0, 2)


def encode_frames(n: int, result: StrikeResult) -> str:
    """Write the frames of hit `n` as a message to spectators, from its trace.

    The frames are evenly spaced in time; the last one is the tower at rest.
    """
    trace = result.trace
    assert trace is not None  # noqa: S101 - this is for hits that somebody watches
    count = int(trace.times[-1] / FRAME_S) + 1
    times = np.arange(count) * FRAME_S
    right = np.clip(np.searchsorted(trace.times, times, "right"), 1, len(trace.times) - 1)
    left = right - 1
    share = (times - trace.times[left]) / (trace.times[right] - trace.times[left])
    tower = trace.tower[left] + share[:, None] * (trace.tower[right] - trace.tower[left])
    # A boulder that has left by the later of two frames (NaN) is shown no more in between.
    boulders = trace.boulders[left]
    boulders = boulders + share[:, None, None] * (trace.boulders[right] - boulders)
    poses = [rounded(frame) for frame in boulders]
    message = {
        "type": "frames",
        "n": n,
        "frame_s": FRAME_S,
        "walls": [*rounded(tower), (0, 0, 0)],
        "poses": [*poses, rounded(result.state.poses)],
    }
    return json.dumps(message, separators=(",", ":"))
