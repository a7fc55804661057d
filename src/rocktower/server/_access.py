"""Who may do what, and how often: a player's token, a spectator's token, or none."""

from __future__ import annotations

from contextlib import suppress
from enum import Enum
from hmac import compare_digest
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING

from rocktower.server._limits import Rate
from rocktower.server._refusal import Refusal
from rocktower.server._towers import digest

if TYPE_CHECKING:
    from rocktower.server._settings import Settings
    from rocktower.server._store import Tower
    from rocktower.server._towers import Towers

__all__ = ["Access", "Role"]

_LONGEST_TOKEN = 200
_HOUR = 3600.0


class Role(Enum):
    """What a token allows."""

    PLAYER = "player"
    SPECTATOR = "spectator"


class Access:
    """Checks tokens, and counts requests.

    Parameters
    ----------
    towers
        Which know the tokens, hashed.
    settings
        The limits.
    """

    def __init__(self, towers: Towers, settings: Settings) -> None:
        self._towers = towers
        self._requests = Rate("requests with this token", settings.rate, settings.burst)
        self._creations = Rate(
            "new towers from this address", settings.creations / _HOUR, settings.creations_burst
        )

    def may_create(self, address: str) -> None:
        """Raise `Refusal` if an address creates too many towers."""
        with suppress(ValueError):  # no internet address, such as a test's
            if (version6 := ip_address(address)).version == 6:
                # Whoever has one of version 6 has all that share its first half.
                address = str(ip_network((version6, 64), strict=False))
        self._creations.take(address)

    async def enter(self, tower: str, token: str | None) -> tuple[Tower, Role]:
        """Return the tower and what the token allows there.

        Raises
        ------
        Refusal
            If there is no token, no such tower, it is not the tower's, or it is used too often.
        """
        if token is None:
            raise Refusal(401, "unauthorized", "send a token: 'Authorization: Bearer TOKEN'")
        if len(token) > _LONGEST_TOKEN or not token.isascii():
            raise Refusal(401, "unauthorized", "this is no token")
        found = await self._towers.find(tower if tower.isascii() and tower.isprintable() else "")
        given = digest(token)
        if compare_digest(given, found.player):
            role = Role.PLAYER
        elif compare_digest(given, found.spectator):
            role = Role.SPECTATOR
        else:
            raise Refusal(401, "unauthorized", "this token is not one of this tower's")
        self._requests.take(given)
        return found, role
