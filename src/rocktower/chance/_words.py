"""Items as words: how a face, a tile or a card is written, and read back from a person."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from rocktower.errors import RocktowerError

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

T = TypeVar("T", bound="Hashable")


def read_word(text: str, items: Iterable[T]) -> T:
    """Find the item that a word names: exactly, or by a beginning that no other item shares."""
    words = {str(item).lower(): item for item in items}
    word = text.strip().lower()
    if word in words:
        return words[word]
    found = [item for name, item in words.items() if word and name.startswith(word)]
    if len(found) == 1:
        return found[0]
    what = f"not {text.strip()!r}"
    if found:
        what = f"{text.strip()!r} could be {' or '.join(map(str, found))}"
    raise RocktowerError(f"{what}: one of {', '.join(map(str, words.values()))} is expected")


def require_words(items: Iterable[object]) -> None:
    """Raise `RocktowerError` unless every item reads as one word of its own."""
    seen: set[str] = set()
    for item in items:
        word = str(item).lower()
        if not word or word in seen or any(c.isspace() or c == "," for c in word):
            raise RocktowerError(
                f"{str(item)!r} cannot be told apart in text: items need distinct names "
                "without spaces or commas"
            )
        seen.add(word)


def list_words(items: Iterable[object]) -> str:
    """List what may be answered, for a question; a long list only by its length."""
    words = [str(item) for item in items]
    return ", ".join(words) if len(words) <= 12 else f"one of {len(words)} kinds"
