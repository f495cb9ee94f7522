"""The arguments and options that several commands have in common."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

if TYPE_CHECKING:
    from ridotto.bots.workers import WorkerPool
    from ridotto.core.game import Game  # noqa: F401 (in a type that is written as text)

Command = TypeVar("Command", bound=Callable[..., Any])
LARGEST_SEED: Final = 2**62

file_path = click.Path(path_type=Path, dir_okay=False)
folder_path = click.Path(path_type=Path, file_okay=False)

option_option = click.option("--option", "options", multiple=True, metavar="NAME=NUMBER", help="An option of the game.")
players_option = click.option("--players", type=int, help="Number of seats; the smallest if not given.")
json_option = click.option("--json", "as_json", is_flag=True, help="Figures as JSON.")
on_option = click.option("--on", metavar="WHERE", help="Play on a Ray: local:2 begins one here, ray://HOST:PORT is a cluster.")
language_option = click.option("--language", "--lang", help="en, fr or nl; the terminal's own if not given.")
record_box_option = click.option("--box", type=file_path, help="The components the match was played with.")
processes_option = click.option(
    "--processes", type=click.IntRange(1, 1024), default=os.cpu_count() or 1, help="Matches at a time."
)


def seed_option(what: str) -> Callable[[Command], Command]:
    """The seed of a command; the same seed gives the same matches."""
    return click.option("--seed", type=click.IntRange(0, LARGEST_SEED), default=1, show_default=True, help=f"Which {what}.")


class GameName(click.ParamType["Game"]):
    """The name of a game; near misses are named."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from ridotto.games import find

        box = ctx.params.get("box") if ctx else None
        return find(value, box if isinstance(box, Path) else None) if isinstance(value, str) else value


def game_command(command: Command) -> Command:
    """Add the argument GAME and the option --box to a command about one game."""
    box = click.option("--box", type=file_path, is_eager=True, help="Components to play with instead of the game's own.")
    return click.argument("game", type=GameName())(box(command))


def parse_options(texts: Sequence[str]) -> dict[str, int]:
    """Options given as NAME=NUMBER."""
    options = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not value.lstrip("-").isdecimal():
            raise click.BadParameter(f"{text!r} is not NAME=NUMBER, a name and a whole number", param_hint="--option")
        options[name] = int(value)
    return options


def terminal_language() -> str:
    """The language of this terminal, if there is a translation; otherwise English."""
    from ridotto.present.narrator import LANGUAGES

    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            return value[:2] if value[:2] in LANGUAGES else "en"
    return "en"


def worker_pool(on: str | None, processes: int) -> WorkerPool:
    """The workers that play: local processes, or the workers of `local:N`, `ray://HOST:PORT` or `auto`."""
    if on is None:
        from ridotto.bots.workers import WorkerPool

        return WorkerPool(processes)
    from ridotto.rl.cluster import RayPool

    return RayPool(on)
