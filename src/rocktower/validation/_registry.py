"""All studies, the weightiest first."""

from __future__ import annotations

from rocktower.errors import RocktowerError
from rocktower.validation import contacts, sensitivity, silo
from rocktower.validation._study import Study

__all__ = ["STUDIES", "find_studies"]

STUDIES: tuple[Study, ...] = (
    contacts.STUDY,
    silo.STUDY,
    sensitivity.SHAPE,
    sensitivity.SOLVER,
    sensitivity.FRICTION,
    sensitivity.FILLING,
)


def find_studies(name: str | None) -> tuple[Study, ...]:
    """Return the study of that name, or all for None.

    Raises
    ------
    RocktowerError
        If there is no such study.
    """
    found = tuple(study for study in STUDIES if name in (None, study.name))
    if not found:
        names = ", ".join(study.name for study in STUDIES)
        raise RocktowerError(f"study {name!r}: there is none; choose one of {names}")
    return found
