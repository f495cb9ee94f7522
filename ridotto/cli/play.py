"""Playing in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ridotto.cli.options import (
    LARGEST_SEED,
    file_path,
    game_command,
    language_option,
    option_option,
    parse_options,
    players_option,
    terminal_language,
)
from ridotto.cli.output import console

if TYPE_CHECKING:
    from ridotto.bots import Bot
    from ridotto.core.game import Game


@click.command()
@game_command
@click.option("--seats", metavar="WHO,WHO,…", help="A comma list: 'you' or a bot (random, greedy, search:500, level:3).")
@players_option
@option_option
@click.option("--seed", type=click.IntRange(0, LARGEST_SEED), help="Makes the match repeatable.")
@language_option
@click.option("--record", "path", type=file_path, help="Save here; go on from here if it exists.")
def play(
    game: Game,
    box: Path | None,
    seats: str | None,
    players: int | None,
    options: Sequence[str],
    seed: int | None,
    language: str | None,
    path: Path | None,
) -> None:
    """Play GAME in the terminal, against bots or people at this keyboard."""
    from ridotto import bots
    from ridotto.bots.programs import split_names
    from ridotto.core import record
    from ridotto.core.match import Match
    from ridotto.games import GAMES
    from ridotto.terminal import session as terminal

    names: list[str] | None = None
    if path is not None and path.exists():
        match, names = record.load(path, {**GAMES, game.name: game})
        if match.game.name != game.name:
            raise click.BadParameter(f"{path} is a match of {match.game.name}, not of {game.name}", param_hint="--record")
        if players is not None or options or seed is not None:
            raise click.UsageError("a match that goes on has its seats, options and draws already: leave those out")
    else:
        match = Match(game, _players(game, players, seats), parse_options(options), seed=seed)
    players_by_seat = split_names(seats) if seats else (names or ["you", *["search"] * (match.seats - 1)])
    if len(players_by_seat) != match.seats:
        raise click.BadParameter(f"{len(players_by_seat)} given, but the match has {match.seats} seats", param_hint="--seats")
    bots_by_seat: dict[int, Bot] = {seat: bots.find(name) for seat, name in enumerate(players_by_seat) if name != "you"}
    status = terminal.play(
        match,
        players_by_seat,
        bots=bots_by_seat,
        bot_seed=seed,
        names=players_by_seat,
        path=path,
        console=console(),
        language=language or terminal_language(),
    )
    sys.exit(status)


def _players(game: Game, players: int | None, seats: str | None) -> int:
    if players is None and seats:
        from ridotto.bots.programs import split_names

        return game.seat_count(len(split_names(seats)))
    return game.seat_count(players)
