"""Rulebooks as files: to print, and their figures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ridotto.cli.options import GameName, folder_path

if TYPE_CHECKING:
    from ridotto.core.game import Game


@click.command()
@click.argument("games", type=GameName(), nargs=-1)
@click.option("--out", type=folder_path, default=Path(), help="The folder to write to; here if not given.")
@click.option("--language", "--lang", "languages", multiple=True, help="en, fr or nl; all of them if not given.")
@click.option("--html", is_flag=True, help="A page of HTML to print yourself, instead of a PDF.")
@click.option("--figures", is_flag=True, help="The figures as SVG, light and dark, instead of a PDF.")
def book(games: tuple[Game, ...], out: Path, languages: tuple[str, ...], html: bool, figures: bool) -> None:
    """Write the rulebooks of GAMES (all of them if none is named) as PDFs to print."""
    from ridotto.games import GAMES
    from ridotto.present.narrator import LANGUAGES, Narrator

    for language in languages:
        Narrator(language)
    try:
        out.mkdir(parents=True, exist_ok=True)
        for game in games or GAMES.values():
            for language in languages or LANGUAGES:
                if not game.rulebook(language).exists():
                    click.echo(f"{game.name}: no rulebook in {LANGUAGES[language]}")
                    continue
                made = _figures(game, language, out) if figures else _printed(game, language, out, html)
                for path in made:
                    click.echo(f"written: {path}")
    except OSError as error:
        raise click.ClickException(f"cannot write to {str(out)!r}: {error.strerror or error}") from error


def _printed(game: Game, language: str, out: Path, html: bool) -> Iterator[Path]:
    """A rulebook to print."""
    try:
        from ridotto.web.pages import printed
    except ModuleNotFoundError as error:
        raise click.ClickException(f"{error.name} is not installed: pip install 'ridotto[web]'") from error
    path = out / f"{game.name}-{language}.{'html' if html else 'pdf'}"
    if html:
        path.write_text(printed.page(game, language), "utf-8")
    else:
        printed.pdf(game, language, path)
    yield path


def _figures(game: Game, language: str, out: Path) -> Iterator[Path]:
    """The figures of a rulebook, each in both themes."""
    from ridotto.present.figures import SCHEME, picture
    from ridotto.present.svg import THEMES

    shown = re.findall(rf"^!\[([^\]]*)\]\({SCHEME}(\w+)", game.rulebook(language).read_text("utf-8"), re.MULTILINE)
    for alt, name in shown:
        for theme in THEMES:
            path = out / f"{game.name}-{name}-{language}-{theme}.svg"
            path.write_text(picture(game, name, language, alt, theme) + "\n", "utf-8")
            yield path
