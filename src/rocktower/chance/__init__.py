"""Chance as an actor: requests, their answers, and what can answer them.

A die, a bag and a deck are immutable values; a request (`RollDie`, `DrawFromBag`, `TopCard`)
asks chance about one of them, and a source answers.

>>> request = DrawFromBag(Bag.of({"goat": 1, "cow": 2}), draws=2)
>>> round(request.pmf()["cow", "cow"], 3)
0.333
>>> Scripted([("cow", "goat")]).answer(request)
('cow', 'goat')
"""

from rocktower.chance._bag import Bag, DrawFromBag
from rocktower.chance._deck import Deck, TopCard
from rocktower.chance._die import D6, Die, RollDie
from rocktower.chance._protocol import Drawable, Request, Source
from rocktower.chance._sources import Manual, Recorded, Sampled, Scripted
from rocktower.chance._words import read_word

__all__ = [
    "D6",
    "Bag",
    "Deck",
    "Die",
    "DrawFromBag",
    "Drawable",
    "Manual",
    "Recorded",
    "Request",
    "RollDie",
    "Sampled",
    "Scripted",
    "Source",
    "TopCard",
    "read_word",
]
