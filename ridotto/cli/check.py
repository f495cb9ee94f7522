"""Checking a game: what it lacks, and what it breaks."""

from __future__ import annotations

import sys

import click

MARKS = {"ok": "ok   ", "note": "note ", "fault": "FAULT"}


@click.command()
@click.argument("name", metavar="[GAME]", required=False)
@click.option("--quick", is_flag=True, help="Leave out compiling the rules.")
def check(name: str | None, quick: bool) -> None:
    """Say what GAME lacks or breaks; without GAME, which games are installed.

    It takes a few seconds, and half a minute the first time. Exits with 1 if there is a fault.
    """
    from ridotto.games import GAMES, find

    if name is None:
        for game in GAMES.values():
            seats = " or ".join(map(str, game.seats)) if len(game.seats) < 3 else f"{game.seats[0]} to {game.seats[-1]}"
            click.echo(f"{game.name}: {game.title}, for {seats} players")
        for broken, why in GAMES.broken.items():
            click.echo(f"{broken}: cannot be loaded: {why}")
        sys.exit(1 if GAMES.broken else 0)
    if name in GAMES.broken and name not in GAMES:
        click.echo(f"{MARKS['fault']} {name} cannot be loaded: {GAMES.broken[name]}")
        sys.exit(1)
    game = find(name)

    from ridotto.arena import checks

    lines = []
    for line in checks.check(game, quick=quick):
        lines.append(line)
        click.echo(f"{MARKS[line.kind]} {line.part}: {line.text}")
    click.echo(checks.summary(game, lines))
    sys.exit(1 if any(line.kind == "fault" for line in lines) else 0)
