"""The errors that people see: one line that says what, where, and what would be right."""

from __future__ import annotations

__all__ = ["RocktowerError"]


class RocktowerError(ValueError):
    """Something handed in from outside cannot be used.

    The message is one line for a person: what is wrong, where, and what would be right.
    The command line prints it and exits with status 2.
    """

    def __str__(self) -> str:
        """Give the message as one line, whatever was quoted in it."""
        return " ".join(super().__str__().splitlines())
