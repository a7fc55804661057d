"""The colors of the boulders on screens and in plots."""

from __future__ import annotations

__all__ = ["BOULDER_COLORS"]

# They differ in lightness as well as in hue: for washed-out projectors and color-blind eyes.
BOULDER_COLORS = {"red": "#cf322c", "blue": "#347ed6", "yellow": "#f7c92b", "white": "#fcfaf3"}
"""By the name of the color, as red, green and blue in hexadecimal."""
