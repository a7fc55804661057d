"""A chat bot that strikes a tower: in a terminal, or on Discord.

The environment names the tower (TOWER_URL, TOWER_ID, TOWER_TOKEN: a player's); `chat_bot.py
discord` needs DISCORD_TOKEN as well.
"""

from __future__ import annotations

import os
import sys
from typing import Any
from uuid import uuid4

from tower import Tower, TowerError

SIDES = ("left", "right")
STRENGTHS = ("gentle", "normal", "firm")
HELP = "Say: strike left|right [gentle|normal|firm]. Or: tower."


class Bot:
    """Answers messages. It keeps in mind how many events of the tower the chat has seen."""

    def __init__(self, tower: Tower) -> None:
        self._tower = tower
        self._n = tower.look()["n"]

    def answer(self, message: str, author: str, message_id: str) -> str:
        """Answer a message.

        The message's id is the idempotency key: a chat that delivers a message twice, or a bot
        that is started anew in the middle of one, strikes once.
        """
        words = message.lower().split()
        command, side, strength = [*words, "", "", ""][:3]
        try:
            if command == "tower":
                return self._inside()
            if command == "strike" and side in SIDES and strength in ("", *STRENGTHS):
                return self._strike(side, strength or "normal", author, message_id)
        except TowerError as error:
            return f"{error}."
        return HELP

    def _strike(self, side: str, strength: str, author: str, message_id: str) -> str:
        try:
            hit = self._tower.strike(
                side, 0.55, strength, key=f"chat-{message_id}", expected_n=self._n
            )
        except TowerError as error:
            if error.code != "conflict":
                raise
            # Somebody struck elsewhere (or a blow's answer was lost): tell, and let them decide.
            news = [_fell(event) for event in self._tower.events(self._n) if event["type"] == "hit"]
            meanwhile = f"Meanwhile came out: {'; '.join(news)}. " if news else ""
            return f"Nothing was struck. {meanwhile}{self._inside()} Do you still want to strike?"
        self._n = max(self._n, hit["n"])
        return f"{author} strikes the {side} side. Out came {_fell(hit)}."

    def _inside(self) -> str:
        tower = self._tower.look()
        self._n = tower["n"]
        counts = ", ".join(f"{count} {color}" for color, count in tower["inside"].items())
        return f"In the tower: {counts}."


def _fell(hit: dict[str, Any]) -> str:
    return ", ".join(hit["boulders"]) or "nothing, an empty hit"


def talk(bot: Bot) -> None:
    """Answer in a terminal, until the input ends."""
    print(HELP)
    for line in sys.stdin:
        print(bot.answer(line, "The player", uuid4().hex), flush=True)


def run_on_discord(bot: Bot, token: str) -> None:
    """Answer the slash command /strike on Discord; needs discord.py 2."""
    import asyncio

    import discord
    from discord import app_commands

    client = discord.Client(intents=discord.Intents.default())
    tree = app_commands.CommandTree(client)
    one_at_a_time = asyncio.Lock()

    @tree.command(name="strike", description="Strike the rock tower")
    @app_commands.choices(
        side=[app_commands.Choice(name=name, value=name) for name in SIDES],
        strength=[app_commands.Choice(name=name, value=name) for name in STRENGTHS],
    )
    async def strike(interaction: discord.Interaction, side: str, strength: str = "normal") -> None:
        await interaction.response.defer()  # Discord waits 3 s; a blow may take longer
        async with one_at_a_time:
            text = await asyncio.to_thread(
                bot.answer,
                f"strike {side} {strength}",
                interaction.user.display_name,
                str(interaction.id),
            )
        await interaction.followup.send(text)

    @client.event
    async def on_ready() -> None:
        await tree.sync()

    client.run(token)


def main() -> None:
    """Run the bot."""
    url, identity, token = (os.environ[f"TOWER_{name}"] for name in ("URL", "ID", "TOKEN"))
    bot = Bot(Tower(url, identity, token))
    if sys.argv[1:] == ["discord"]:
        run_on_discord(bot, os.environ["DISCORD_TOKEN"])
    else:
        talk(bot)


if __name__ == "__main__":
    main()
