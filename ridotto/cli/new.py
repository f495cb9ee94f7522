"""A new game: a package with a small game in it that plays at once, to be changed file by file."""

from __future__ import annotations

import keyword
import re
from pathlib import Path
from typing import Final

import click

from ridotto.cli.options import folder_path

SKELETON: Final = Path(__file__).with_name("skeleton")
NAME, TITLE = "skeleton_name", "Skeleton Title"
"""The placeholders in the skeleton for the name and the title of the game."""


@click.command()
@click.argument("name")
@click.option("--out", type=folder_path, default=Path(), help="The folder to write it in; this one if not given.")
@click.option("--title", help="What people call the game; the name in capitals if not given.")
def new(name: str, out: Path, title: str | None) -> None:
    """Write a package with a small game called NAME, which can be installed, checked and played at once."""
    folder = out / name
    if fault := name_fault(name):
        raise click.BadParameter(fault, param_hint="NAME")
    if folder.exists():
        raise click.BadParameter(f"{folder} is there already", param_hint="NAME")
    for path in sorted(SKELETON.rglob("*")):
        if path.is_file() and path.suffix in (".py", ".toml", ".md"):
            inside = path.relative_to(SKELETON).as_posix()
            target = folder / re.sub("^game/", f"src/{name}/", inside)
            target.parent.mkdir(parents=True, exist_ok=True)
            text = path.read_text("utf-8").replace(NAME, name)
            target.write_text(text.replace(TITLE, title or name.replace("_", " ").title()), "utf-8")
    click.echo(f"{folder}/README.md says what is where. Now:")
    for command in (f"pip install -e {folder}", f"ridotto check {name}", f"ridotto play {name}", "ridotto serve --open"):
        click.echo(f"    {command}")


def name_fault(name: str) -> str:
    """The fault of a game's name; "" if it is valid.

    >>> name_fault("tic_tac_toe"), name_fault("Tic-Tac"), name_fault("json")
    ('', "'Tic-Tac' is not lower-case letters, digits and underscores", "there is a module 'json' already")
    """
    from importlib.util import find_spec

    if not re.fullmatch("[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        return f"{name!r} is not lower-case letters, digits and underscores"
    if find_spec(name) is not None:
        return f"there is a module {name!r} already"
    from ridotto.games import GAMES

    return f"there is a game {name!r} already" if name in GAMES else ""
