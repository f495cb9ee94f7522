"""A box of one's own: what is reconstructed, asked of an owner of the printed game, and written as a file."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ridotto.cli.options import file_path, game_command, language_option, terminal_language

if TYPE_CHECKING:
    from ridotto.core.game import Game
    from ridotto.engine.errors import BoxFault
    from ridotto.present.narrator import Narrator
    from ridotto.present.owner import Section


@click.command()
@game_command
@click.option("--out", type=file_path, help="Where the box is written; GAME-box.toml if not given.")
@click.option("--name", help="What the box is called in records and at tables.")
@click.option("--check", "checked", type=file_path, help="Say what is wrong with this file, and ask nothing.")
@language_option
def box(game: Game, box: Path | None, out: Path | None, name: str | None, checked: Path | None, language: str | None) -> None:
    """Go through what is reconstructed in the box of GAME, and write a box of your own for --box."""
    from ridotto.present import owner as owners
    from ridotto.present.ui import ui

    narrator = ui(game).narrator(language or terminal_language())
    if checked:
        _check(checked, game, narrator)
        return
    owner = owners.owner(game)
    if owner is None:
        click.echo(narrator.say("Nothing in the box is a guess of ours: there is nothing to ask."))
        return
    data = owners.box_of(game)
    click.echo(f"{game.title}\n" + narrator.say("Take the printed box to the table. Enter keeps what is shown."))
    while True:
        for number, section in enumerate(owner.SECTIONS, 1):
            _ask_section(section, f"{number}/{len(owner.SECTIONS)}", data, narrator)
        faults = owner.faults_of(data)
        if not faults:
            break
        click.echo()
        _tell(faults, narrator)
        if not click.confirm(narrator.say("Go through it again?"), default=True):
            sys.exit(1)
    called = name or click.prompt(narrator.say("A name for this box"), default=game.title)
    _write(owners.to_toml(data, called), game, out, narrator)


def _check(file: Path, game: Game, narrator: Narrator) -> None:
    """Say that a file will do, or everything that is wrong with it."""
    from ridotto.engine.errors import BadBox

    try:
        game.with_box(file)
    except BadBox as error:
        if not error.faults:
            raise
        _tell(error.faults, narrator)
        sys.exit(2)
    click.echo(narrator.say("{title} can be played with {file}.", title=game.title, file=file))


def _tell(faults: Sequence[BoxFault], narrator: Narrator) -> None:
    """Tell everything that keeps a box from being played."""
    click.echo(narrator.say("This box cannot be played yet:"))
    for fault in faults:
        click.echo(f"  {fault.translated(narrator.say)}")


def _ask_section(section: Section, place: str, data: dict[str, Any], narrator: Narrator) -> None:
    """Show what a section says now; where it is not so, ask for each answer."""
    from ridotto.core.errors import BadAnswer

    click.echo(f"\n{place}  {narrator.say(section.title)}\n{narrator.say(section.explanation)}")
    for question in section.questions:
        click.echo(f"  {question.said(narrator)}: {question.shown(data)}")
    if click.confirm(narrator.say("Is it so in your box?"), default=True):
        return
    click.echo(narrator.say("To type: {what}", what=section.questions[0].form.said(narrator)))
    for question in section.questions:
        while True:
            answer = click.prompt(f"  {question.said(narrator)}", default=question.shown(data))
            try:
                question.answer(data, answer)
                break
            except BadAnswer:
                what = question.form.said(narrator)
                click.echo("  " + narrator.say("{text} cannot be read: {what}", text=repr(answer[:60]), what=what))


def _write(text: str, game: Game, out: Path | None, narrator: Narrator) -> None:
    """Write a box, see that it can be played, and say how."""
    path = out or Path(f"{game.name}-box.toml")
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise click.ClickException(f"cannot write {str(path)!r}: {error.strerror or error}") from error
    game.with_box(path)
    command = f"ridotto play {game.name} --box {path}"
    click.echo(narrator.say("Written: {file}. Play with it: {command}", file=path, command=command))
    click.echo(narrator.say("Please send us what you corrected: docs/boxes.md says how."))
