"""Chance as an actor: requests, their answers, and what can answer them."""

from rocktower.chance._protocol import Drawable, Request, Source

__all__ = ["Drawable", "Request", "Source"]
