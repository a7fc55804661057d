"""The one thing that rules on tuples need."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")

__all__ = ["with_item"]


def with_item(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    """Give the tuple with one item replaced."""
    return (*items[:index], item, *items[index + 1 :])
