"""The output of commands: text for people, JSON for programs, and a progress bar."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console


def console() -> Console:
    """The console for people."""
    from rich.console import Console

    screen = Console()
    return screen if screen.is_terminal else Console(width=120)


@contextmanager
def progress(total: int, text: str, quiet: bool = False) -> Iterator[Callable[[int], None]]:
    """A progress bar on a terminal; yields a function that sets how much is done."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    screen = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=screen, transient=True, disable=quiet or not screen.is_terminal) as bar:
        task = bar.add_task(text, total=total)
        yield lambda done: bar.update(task, completed=min(done, total))


def print_json(value: Any) -> None:
    """A value as JSON, indented."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))
