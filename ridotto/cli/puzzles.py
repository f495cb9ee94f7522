"""Finding puzzles."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ridotto.cli.options import (
    file_path,
    game_command,
    option_option,
    parse_options,
    players_option,
    processes_option,
    seed_option,
)
from ridotto.cli.output import console, progress
from ridotto.present.ui import english, ui

if TYPE_CHECKING:
    from ridotto.core.game import Game


@click.command()
@game_command
@players_option
@option_option
@click.option("--number", type=click.IntRange(1), default=5, show_default=True, help="How many to find.")
@click.option("--minutes", type=click.FloatRange(0, min_open=True), help="Stop after so long.")
@seed_option("matches")
@processes_option
@click.option("--out", type=file_path, help="Write them here, as the file puzzles.json of a game.")
def puzzles(
    game: Game,
    box: Path | None,
    players: int | None,
    options: Sequence[str],
    number: int,
    minutes: float | None,
    seed: int,
    processes: int,
    out: Path | None,
) -> None:
    """Find puzzles in matches of bots of GAME: moments in which one decision is clearly best, and a glance misses it.

    Best by 15 in 100 or more, in a search and in two longer ones with other seeds, and in paired continuations.
    """
    from rich.text import Text

    from ridotto.arena import puzzles as finding
    from ridotto.bots import puzzles as documents
    from ridotto.bots.setup import MatchSetup
    from ridotto.bots.workers import WorkerPool

    setup = MatchSetup(game.name, game.seat_count(players), game.settle(parse_options(options)), seed, box)
    until = None if minutes is None else time.monotonic() + 60 * minutes
    puzzles = []
    with WorkerPool(processes) as pool, progress(number, "puzzles", quiet=False) as done:
        for one in islice(finding.search(setup, number, pool, until), number):
            puzzles.append(one)
            done(len(puzzles))
    for one in puzzles:
        label = ui(game).words(ui(game).narrator(reader=one.seat)).label(one.view(game).row, one.seat, game.action(one.best))
        line = f"{ui(game).role(one.seat, english(game))}: {label} ({round(100 * one.lead)} in 100 better than any other)"
        console().print(Text(line))
    if out is not None:
        try:
            out.write_text(
                json.dumps(documents.document(game, puzzles), ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8"
            )
        except OSError as error:
            raise click.ClickException(f"cannot write {out}: {error.strerror or error}") from error
        click.echo(f"written: {out}")
