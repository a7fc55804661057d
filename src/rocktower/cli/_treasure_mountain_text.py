"""What `rocktower draw treasure-mountain` tells people: what happened, and how the table stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rocktower.cli._common import print_table
from rocktower.cli._session import may_see
from rocktower.games.treasure_mountain import FightResult, Table, view

if TYPE_CHECKING:
    from rocktower.games._log import Step


def story(before: Table, after: Table, steps: tuple[Step, ...], viewer: str | None) -> list[str]:
    """Tell what happened, without what the viewer may not see."""
    lines = []
    for step in steps:
        hidden = f"hidden; `show --as {step.secret_of}` shows it"
        lines.append(f"{step.label}: {step.text if may_see(step, viewer) else hidden}")
    if after.last_fight is not None and after.last_fight is not before.last_fight:
        lines += _fight_story(after.last_fight)
    steps_now = f"the dragon is at {after.dragon} of {after.data.dragon_track.steps}"
    if after.anger is not None:
        who = after.players[after.anger.player]
        lines.append(f"{who} is in the Temple: `reroll {who}`, or `keep`")
    elif after.attack is not None:
        temple = after.attack.temple
        may = after.is_rahdo is False or temple == after.attack.trigger
        again = temple is not None and may and not after.attack.is_rerolled
        offer = f"`reroll {after.players[temple]}`, or " if again and temple is not None else ""
        lines.append(f"the dragon attacks: {offer}`fight`")
    elif before.dragon != after.dragon or before.anger or any("aggr" in s.label for s in steps):
        lines.append(steps_now)
    if before.order != after.order:
        lines.append(f"turn order: {' '.join(after.players[i] for i in after.order)}")
    return lines or ["done"]


def _fight_story(fight: FightResult) -> list[str]:
    dragon = fight.dragon
    lines = [f"strength {dragon.strength}, after {dragon.treasure}"]
    for fate in fight.fates:
        axes = "".join(f" +{value}" for value in fate.axes)
        line = f"{fate.player}: {fate.die}{axes} = {fate.total}, "
        if fate.is_safe:
            line += "safe"
        else:
            lost = f"{fate.fraction} of their" if fate.lost is None else str(fate.lost)
            dwarf = "no dwarf" if fate.captured is None else f"dwarf {fate.captured}"
            line += f"loses {lost} {dragon.treasure}; {dwarf} is captured"
        lines.append(line)
    winner = fight.awarded
    lines.append(
        "nobody is awarded the tile"
        if winner is None
        else f"{winner} is awarded the tile: {dragon.points} victory points"
    )
    return lines


def print_tables(table: Table, viewer: str | None) -> None:
    """Print the table as a viewer sees it."""
    from rich.table import Table as Grid

    now = view(table, viewer)
    tile = now["dragon_tile"]
    back = (
        "no dragon is left"
        if tile is None
        else f"level {tile['level']}, strength {tile['range'][0]}-{tile['range'][1]}"
    )
    if tile and tile["front"]:
        back += f", seen: {tile['front']}"
    title = f"Treasure Mountain: dragon at {now['dragon']} of {now['head']}; {back}"
    players = Grid("turn order", "axes", "dragon tiles", "captured", title=title)
    for name in now["order"]:
        axes = now["axes"][name]
        shown = str(axes) if isinstance(axes, int) else " ".join(f"+{v}" for v in axes) or "none"
        captured = " ".join(f"#{n}" for n in now["captured"][name])
        players.add_row(name, shown, " ".join(now["dragons"][name]), captured)
    print_table(players)
    rows = Grid("row", "open cards, slot 1 (far right) first", "deck", "discard")
    for name, row in now["rows"].items():
        cards = [
            card + f" +{coins} gold" * bool(coins)
            for card, coins in zip(row["cards"], row["coins"], strict=True)
        ]
        rows.add_row(name, "  ".join(cards), str(row["deck"]), str(len(row["discard"])))
    print_table(rows)
    bag = now["axe_bag"]
    if isinstance(bag, dict):
        bag = ", ".join(f"{n} of +{value}" for value, n in bag.items())
    click.echo(f"axe bag: {bag}")
    if now["aggression"]:
        click.echo(
            "{player} rolled {die} for aggression: `reroll` or `keep`".format_map(now["aggression"])
        )
    if now["attack"]:
        dice = ", ".join(f"{name} {die}" for name, die in now["attack"]["dice"].items())
        click.echo(f"the dragon attacks; dice: {dice}")
