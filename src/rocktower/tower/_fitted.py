"""A tower that was fitted to recorded hits: its file, and draws of what is not known of it."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocktower.errors import RocktowerError
from rocktower.files import decode_arrays
from rocktower.randomness import Purpose, stream
from rocktower.tower._model import TowerModel
from rocktower.tower._setup import GRIPS, Setup
from rocktower.tower._strike import Grip, Striker

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

__all__ = ["POSTERIOR_FILE", "TOWER_FILE", "FittedTower", "choose_tower", "encode_posterior"]

POSTERIOR_FILE, TOWER_FILE = "posterior.npz", "tower.toml"
_FORMAT = "rocktower-posterior/1"


@dataclass(frozen=True, slots=True)
class FittedTower:
    """Towers and people that recorded hits leave possible.

    Parameters
    ----------
    base
        The tower at the posterior's mean.
    setups
        Shape (n, 5): values of `Setup`, a draw each, of the first striker.
    speeds
        Shape (n, strikers): median speed of each striker, m/s.
    strikers
        Their names as in the record, such as ``"Anna, firm"``.
    """

    base: TowerModel
    setups: NDArray[np.float64]
    speeds: NDArray[np.float64]
    strikers: tuple[str, ...]

    @classmethod
    def load(cls, folder: Path) -> FittedTower:
        """Read the folder that ``rocktower calibrate --out`` has written.

        Raises
        ------
        RocktowerError
            If a file is missing, or is none.
        """
        path = folder / POSTERIOR_FILE
        try:
            content = path.read_bytes()
        except FileNotFoundError:
            raise RocktowerError(
                f"{folder}: holds no {POSTERIOR_FILE}; rocktower calibrate --out makes such a "
                "folder"
            ) from None
        except OSError as error:
            raise RocktowerError(f"{path}: cannot be read: {error.strerror or error}") from None
        arrays = decode_arrays(content, str(path), "a posterior", _FORMAT)
        try:
            names = tuple(map(str, arrays["strikers"]))
            return cls(
                TowerModel.load(folder / TOWER_FILE), arrays["setups"], arrays["speeds"], names
            )
        except KeyError as error:
            raise RocktowerError(f"{path}: a damaged posterior: {error} is missing") from None

    def draw(
        self, rng: np.random.Generator, striker: str | None = None, grip: str = "held"
    ) -> tuple[TowerModel, Striker]:
        """Draw one tower and one person.

        Parameters
        ----------
        striker
            One of `strikers`, or how that begins (``"Anna"``) if only one does; the first if None.
        grip
            loose, held or pressed, as the people of the record mean it.

        Raises
        ------
        RocktowerError
            If the record has no such striker, or several, or there is no such grip.
        """
        number = 0 if striker is None else self._number(striker)
        level = GRIPS.index(Grip.named(grip).name) - GRIPS.index("held")
        row = int(rng.integers(len(self.setups)))
        friction, outlet, held, _, spread = self.setups[row].tolist()
        held = min(max(held + level, 0.0), len(GRIPS) - 1.0)
        setup = Setup(friction, outlet, held, float(self.speeds[row, number]), spread)
        return setup.tower(self.base), setup.striker(self.strikers[number])

    def _number(self, striker: str) -> int:
        """Find a striker by the whole name, or by what stands before the strength."""
        if striker in self.strikers:
            return self.strikers.index(striker)
        found = [k for k, name in enumerate(self.strikers) if name.startswith(f"{striker}, ")]
        if len(found) != 1:
            known = ", ".join(map(repr, self.strikers))
            what = "more than one in" if found else "not in"
            raise RocktowerError(f"striker {striker!r}: {what} this record, which has {known}")
        return found[0]


def encode_posterior(
    setups: NDArray[np.float64],
    speeds: NDArray[np.float64],
    strikers: Sequence[str],
    **more: Any,
) -> bytes:
    """Write what `FittedTower.load` reads, and more arrays beside it, as NPZ."""
    content = io.BytesIO()
    np.savez_compressed(
        content, format=np.array(_FORMAT), setups=setups, speeds=speeds,
        strikers=np.array(list(strikers)), **more,
    )  # fmt: skip
    return content.getvalue()


def choose_tower(
    path: Path | None,
    seed: int,
    *,
    striker: str | None = None,
    grip: str | None = None,
) -> tuple[TowerModel, Striker]:
    """Take a tower and a person: from a file, the packaged default, or a draw from a folder.

    Parameters
    ----------
    path
        A tower model's file, a posterior's folder, or None.
    seed
        Of the draw from a folder; not used else.
    striker, grip
        A packaged one (normal and held if None); with a folder, a striker of the record.

    Raises
    ------
    RocktowerError
        If one of them cannot be used.
    """
    if path is not None and path.is_dir():
        return FittedTower.load(path).draw(stream(seed, Purpose.TOWER), striker, grip or "held")
    person = Striker.named(striker or "normal")
    return TowerModel.load(path).held(grip or "held"), person
