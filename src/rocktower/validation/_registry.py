"""All studies, the weightiest first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocktower.errors import RocktowerError
from rocktower.validation import (
    arches,
    contacts,
    packing,
    pipe,
    second_engine,
    sensitivity,
    silo,
    strength,
    strikes,
)
from rocktower.validation._box_scene import second_engine_is_installed

if TYPE_CHECKING:
    from rocktower.validation._study import Study

__all__ = ["STUDIES", "find_studies"]

STUDIES: tuple[Study, ...] = (
    contacts.STUDY,
    silo.STUDY,
    sensitivity.SHAPE,
    sensitivity.SOLVER,
    sensitivity.FRICTION,
    sensitivity.FILLING,
    arches.STUDY,
    strikes.HOPPER,
    strikes.TOWER,
    strength.STUDY,
    second_engine.STUDY,
    pipe.STUDY,
    packing.STUDY,
)


def find_studies(name: str | None) -> tuple[Study, ...]:
    """Return the study of that name; for None all that can run here.

    The second engine is an extra: without it, its study is left out unless asked for by name.

    Raises
    ------
    RocktowerError
        If there is no such study.
    """
    if name is None:
        absent = () if second_engine_is_installed() else (second_engine.STUDY,)
        return tuple(study for study in STUDIES if study not in absent)
    found = tuple(study for study in STUDIES if study.name == name)
    if not found:
        names = ", ".join(study.name for study in STUDIES)
        raise RocktowerError(f"study {name!r}: there is none; choose one of {names}")
    return found
