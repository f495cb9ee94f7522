"""For the host of a server: list tables, people and reports, and decide about them.

A running server follows within seconds.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from ridotto.cli.options import json_option
from ridotto.cli.output import print_json
from ridotto.cli.web import data_option, open_storage, report

if TYPE_CHECKING:
    from ridotto.web.storage.admin import AdminStorage

Result = TypeVar("Result")
TIMES: Final = ("created", "changed", "seen", "at")


def _run(data: Path | None, work: Callable[[AdminStorage], Awaitable[Result]]) -> Result:
    async def run() -> Result:
        async with open_storage(data) as storage:
            await storage.open()
            return await work(storage.admin)

    return asyncio.run(run())


@click.group()
def admin() -> None:
    """Tables, people and reports of a server: list, show, end, delete, ban, unban, mute, unmute; clear what is old; check."""


def _print(rows: Sequence[Mapping[str, Any]], columns: Sequence[str], as_json: bool, nothing: str) -> None:
    if as_json:
        print_json([dict(row) for row in rows])
        return
    for row in rows:
        click.echo("  ".join(_shown(name, row[name]) for name in columns))
    if not rows:
        click.echo(nothing)


def _shown(name: str, value: Any) -> str:
    if name in TIMES:
        return time.strftime("%Y-%m-%d %H:%M", time.gmtime(value))
    if isinstance(value, bool):
        return name if value else "-"
    return str(value) if value not in (None, "") else "-"


most_option = click.option("--most", type=click.IntRange(1, 10_000), default=50, show_default=True, help="How many.")
table_argument = click.argument("table")
person_argument = click.argument("person")


@admin.command()
@data_option
@most_option
@json_option
def tables(data: Path | None, most: int, as_json: bool) -> None:
    """List the tables that changed last."""
    rows = _run(data, lambda storage: storage.tables(most))
    _print(rows, ("id", "game", "state", "plies", "changed", "private", "host_name"), as_json, "there are no tables")


@admin.command()
@data_option
@most_option
@json_option
def people(data: Path | None, most: int, as_json: bool) -> None:
    """List the people who were here last."""
    rows = _run(data, lambda storage: storage.people(most))
    _print(rows, ("id", "name", "seats", "seen", "banned", "muted"), as_json, "nobody was here")


@admin.command()
@data_option
@json_option
def reports(data: Path | None, as_json: bool) -> None:
    """List what was reported."""
    rows = _run(data, lambda storage: storage.reports())
    _print(rows, ("table", "line", "at", "person", "name", "text"), as_json, "nothing was reported")


@admin.command()
@table_argument
@data_option
def show(table: str, data: Path | None) -> None:
    """Show a table as JSON: who sits there, and what was said."""
    print_json(_run(data, lambda storage: storage.table(table)))


@admin.command()
@table_argument
@data_option
def end(table: str, data: Path | None) -> None:
    """End the match at a table: its first player resigns it."""
    _run(data, lambda storage: storage.end(table))
    click.echo(f"ended: {table}")


@admin.command()
@click.argument("what", metavar="TABLE|PERSON")
@data_option
@click.option("--person", "is_person", is_flag=True, help="It is a person: they are forgotten, as they could ask for.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def delete(what: str, data: Path | None, is_person: bool, yes: bool) -> None:
    """Delete a table with everything that belongs to it, or a person."""
    if not yes:
        click.confirm(f"delete {what} for good?", abort=True)
    _run(data, lambda storage: storage.delete_person(what) if is_person else storage.delete_table(what))
    click.echo(f"deleted: {what}")


@admin.command()
@table_argument
@click.argument("line", type=click.IntRange(1))
@data_option
def close(table: str, line: int, data: Path | None) -> None:
    """A report was dealt with."""
    _run(data, lambda storage: storage.close_report(table, line))
    click.echo(f"closed: {table} {line}")


@admin.command()
@person_argument
@data_option
def ban(person: str, data: Path | None) -> None:
    """Lock a person out."""
    _run(data, lambda storage: storage.ban(person, "ban"))
    click.echo(f"banned: {person}")


@admin.command()
@person_argument
@data_option
def unban(person: str, data: Path | None) -> None:
    """Let a person in again."""
    _run(data, lambda storage: storage.ban(person, "ban", False))
    click.echo(f"let in again: {person}")


@admin.command()
@person_argument
@data_option
def mute(person: str, data: Path | None) -> None:
    """Mute a person in chats."""
    _run(data, lambda storage: storage.ban(person, "mute"))
    click.echo(f"muted: {person}")


@admin.command()
@person_argument
@data_option
def unmute(person: str, data: Path | None) -> None:
    """Unmute a person."""
    _run(data, lambda storage: storage.ban(person, "mute", False))
    click.echo(f"heard again: {person}")


def days_option(name: str, what: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    variable = f"RIDOTTO_KEEP_{name.upper()}"
    return click.option(
        f"--{name}", type=click.FloatRange(0), default=0, envvar=variable, metavar="DAYS", help=f"{what}; 0: never."
    )


@admin.command()
@data_option
@days_option("over", "Tables that are over, unchanged for so long")
@days_option("open", "Other tables, unchanged for so long")
@days_option("people", "People without a table, not here for so long")
@click.option("--dry-run", "is_dry", is_flag=True, help="Only say how many there are.")
def clear(data: Path | None, over: float, open: float, people: float, is_dry: bool) -> None:
    """Delete what is old. A server does the same once a day by its limits keep-over, keep-open and keep-people."""
    from ridotto.web.storage.admin import RetentionRules

    cleared = _run(data, lambda storage: storage.clear(RetentionRules(over, open, people), is_dry=is_dry))
    counts = f"tables that are over {cleared['over']}, other tables {cleared['open']}, people {cleared['people']}"
    click.echo(f"{'would delete' if is_dry else 'deleted'}: {counts}")


@admin.command()
@data_option
def check(data: Path | None) -> None:
    """Check the database, its references and the record of every table, while servers go on. Exits with 1 if one is wrong."""
    from ridotto.web.storage import check

    async def run() -> check.Findings:
        async with open_storage(data) as storage:
            return await check.check(storage)

    findings = asyncio.run(run())
    click.echo(f"records verified: {findings.verified}")
    report(findings)


@admin.command()
@data_option
@click.option("--address", default="http://127.0.0.1:8765", show_default=True, help="Where the server is.")
def page(data: Path | None, address: str) -> None:
    """Print the address of the host's page, and its key. The key allows all of this: keep it secret."""
    from ridotto.web.identity import load_host_key
    from ridotto.web.settings import data_folder

    folder = data or data_folder()
    folder.mkdir(parents=True, exist_ok=True)
    click.echo(f"address: {os.environ.get('RIDOTTO_ADDRESS', address).rstrip('/')}/host")
    click.echo(f"key: {load_host_key(folder)}")
