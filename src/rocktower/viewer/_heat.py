"""Where boulders were, as a map of their density."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocktower.viewer._playback import Recording

__all__ = ["density"]

_CELL = 0.003  # m


def density(recordings: Sequence[Recording], width: float, height: float) -> NDArray[np.float64]:
    """Return how often boulders were where in a tower.

    Parameters
    ----------
    recordings
        Of strikes; every frame counts alike.
    width, height
        Of the tower's inside, m.

    Returns
    -------
    array of shape (rows, columns)
        0 to 1, from the bottom left; cells of 3 mm.
    """
    shape = (max(round(height / _CELL), 1), max(round(width / _CELL), 1))
    counts = np.zeros(shape)
    for recording in recordings:
        poses = recording.poses[:, :, :2] - recording.tower[:, None, :2]
        x, y = poses[~np.isnan(poses[:, :, 0])].T
        span = ((0.0, height), (-0.5 * width, 0.5 * width))
        counts += np.histogram2d(y, x, bins=shape, range=span)[0]
    for axis in (0, 1):  # a boulder covers more than the cell of its middle
        padded = np.pad(counts, [(1, 1) if a == axis else (0, 0) for a in (0, 1)])
        spread = padded + np.roll(padded, 1, axis) + np.roll(padded, -1, axis)
        counts = spread.take(np.arange(1, shape[axis] + 1), axis)
    top = counts.max()
    return counts / top if top else counts
