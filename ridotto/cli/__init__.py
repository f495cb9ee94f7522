"""The command `ridotto`. Each section of its commands has a module; commands import what they need when they are run."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Any, Final

import click

from ridotto.cli import admin, arena, book, box, check, games, new, play, puzzles, records, research, tab, web
from ridotto.engine.errors import RidottoError

SECTIONS: Final[Mapping[str, tuple[click.Command, ...]]] = {
    "Play": (play.play, web.serve, tab.tab, book.book, box.box),
    "Look back": (records.replay, records.review, records.luck, records.verify, records.picture, puzzles.puzzles),
    "Keep a server": (web.backup, web.restore, admin.admin),
    "Compare bots": (arena.arena, arena.certify, arena.calibrate, arena.bench_agents, arena.leaderboard),
    "Research": (research.simulate, research.dataset, research.train, research.referee),
    "Write a game": (new.new, check.check),
    "Look into a game": (games.layout, games.counts, games.balance, games.audit, games.warm),
}
"""The commands as the help lists them."""
LONGEST: Final = 300
"""Characters of a command's first sentence; none is that long, so that none is cut."""


class Ridotto(click.Group):
    """The commands in sections. An error of ours is one line, never a traceback."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, self.commands))
        for title, commands in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(f"{one.name:{width}}", one.get_short_help_str(LONGEST)) for one in commands])

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except RidottoError as error:
            click.echo(f"ridotto: {error}", err=True)
            ctx.exit(2)
        except BrokenPipeError:
            # The reader of our output has closed it.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(0)
        except Exception as error:
            from ridotto.engine.build import not_compiled

            if (why := not_compiled(error)) is None:
                raise
            click.echo(f"ridotto: the game {why}; `ridotto check` says more", err=True)
            ctx.exit(2)


@click.group(cls=Ridotto, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="ridotto")
def cli() -> None:
    """Tabletop games, played exactly by their rulebooks: with people, with bots, and by researchers."""


for _commands in SECTIONS.values():
    for _command in _commands:
        cli.add_command(_command)


def main() -> None:
    """Run the command; an interrupt is not an error to report."""
    try:
        cli(standalone_mode=True)
    except KeyboardInterrupt:
        sys.exit(130)
