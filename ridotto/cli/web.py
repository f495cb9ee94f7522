"""The web table: serve it, and keep copies of what it stores."""

from __future__ import annotations

import ipaddress
import os
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import click

from ridotto.cli.options import file_path, folder_path
from ridotto.engine.errors import RidottoError

if TYPE_CHECKING:
    from ridotto.web.storage import Storage
    from ridotto.web.storage.check import Findings


class AddressRange(click.ParamType[str]):
    """A network of addresses, as 10.0.0.0/8."""

    name = "network"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            return str(ipaddress.ip_network(value.strip(), strict=False))
        except ValueError:
            self.fail(f"give a network such as 10.0.0.0/8, not {value!r}", param, ctx)


class PublicAddress(click.ParamType[str]):
    """The public address of a server: https://table.example, or nothing."""

    name = "address"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            parts = urlsplit(value)
            is_fine = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0 and " " not in value
            if not value or (is_fine and value.rstrip("/") == f"{parts.scheme}://{parts.netloc}" and "@" not in value):
                return value
        except ValueError:
            pass
        self.fail(f"give an address such as https://table.example, not {value!r}", param, ctx)


data_option = click.option("--data", type=folder_path, envvar="RIDOTTO_DATA", help="Where tables are kept.")


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen; 0.0.0.0 lets others in the network in.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="Where to listen; 0: any free one."
)
@data_option
@click.option(
    "--address",
    type=PublicAddress(),
    default="",
    metavar="URL",
    envvar="RIDOTTO_ADDRESS",
    help="How the world reaches the server, if a proxy stands before it.",
)
@click.option(
    "--proxy",
    "proxies",
    type=AddressRange(),
    multiple=True,
    metavar="NETWORK",
    envvar="RIDOTTO_PROXY",
    help="A proxy's network, such as 10.0.0.0/8: it says where requests come from. With --address, this machine.",
)
@click.option("--workers", type=click.IntRange(1, 256), help="Processes in which bots think.")
@click.option("--servers", type=click.IntRange(1, 64), default=1, help="Processes that serve pages; several need PostgreSQL.")
@click.option(
    "--notices",
    type=click.Choice(["off", "open", "all"]),
    default="off",
    show_default=True,
    envvar="RIDOTTO_NOTICES",
    help="Tell addresses that players give of their turn: on the open internet, or all, this network's too.",
)
@click.option(
    "--notice-port",
    "notice_ports",
    type=click.IntRange(1, 65535),
    multiple=True,
    metavar="PORT",
    envvar="RIDOTTO_NOTICE_PORT",
    help="A port that such addresses may have; without this, 80 and 443.",
)
@click.option(
    "--metrics",
    "metrics_for",
    type=AddressRange(),
    multiple=True,
    metavar="NETWORK",
    envvar="RIDOTTO_METRICS",
    help="A network that may read /metrics; without this, the machine itself.",
)
@click.option(
    "--no-auto-review",
    is_flag=True,
    envvar="RIDOTTO_NO_AUTO_REVIEW",
    help="Look for the turning point of a match only when its review is requested.",
)
@click.option("--no-club", is_flag=True, envvar="RIDOTTO_NO_CLUB", help="Everybody is a guest: nobody becomes a member.")
@click.option("--no-log-addresses", is_flag=True, envvar="RIDOTTO_NO_LOG_ADDRESSES", help="Keep addresses out of the log.")
@click.option("--log", type=click.Path(path_type=Path, dir_okay=False, allow_dash=True), help="Where the log goes; - shows it.")
@click.option("--box", "boxes", multiple=True, metavar="GAME=FILE", help="A box for a game instead of its own.")
@click.option("--open", "browse", is_flag=True, help="Open the page in a browser.")
@click.option("--limit", "limits", multiple=True, metavar="NAME=VALUE", help="Set a limit: max-streams=5000 (docs/server.md).")
def serve(
    host: str,
    port: int,
    data: Path | None,
    address: str,
    proxies: tuple[str, ...],
    workers: int | None,
    servers: int,
    notices: str,
    notice_ports: tuple[int, ...],
    metrics_for: tuple[str, ...],
    no_auto_review: bool,
    no_club: bool,
    no_log_addresses: bool,
    log: Path | None,
    boxes: tuple[str, ...],
    browse: bool,
    limits: tuple[str, ...],
) -> None:
    """The web table: open a page and play. The environment variable DATABASE_URL names another database."""
    try:
        from ridotto.web.server import run as runner
        from ridotto.web.settings import Settings, data_folder
    except ModuleNotFoundError as error:
        raise click.ClickException(f"{error.name} is not installed: pip install 'ridotto[web]'") from error

    if boxes:
        _use_boxes(boxes)
    folder = data or data_folder()
    more_settings: dict[str, Any] = {"servers": servers} | ({"workers": workers} if workers else {})
    more_settings |= {"proxies": proxies, **_limits(limits)}
    more_settings |= {"log_addresses": not no_log_addresses, "auto_review": not no_auto_review}
    more_settings |= {"club": False} if no_club else {}
    more_settings |= {"metrics_for": metrics_for} if metrics_for else {}
    more_settings |= {"webhooks": notices != "off", "webhooks_inside": notices == "all"}
    more_settings |= {"webhook_ports": notice_ports} if notice_ports else {}
    settings = Settings(folder, os.environ.get("DATABASE_URL", ""), host, port, address, **more_settings)
    log_file = None if str(log) == "-" else log or folder / "server.log"
    runner.serve(settings, browse=browse, log=log_file, tell=click.echo)


def _limits(given: tuple[str, ...]) -> dict[str, Any]:
    """The limits that are set on the command line, or else in the environment."""
    from ridotto.web.settings import LIMITS, parse_limit, variable_of

    chosen = {name: text for name in LIMITS if (text := os.environ.get(variable_of(name)))}
    for one in given:
        name, equals, text = one.partition("=")
        name = name.strip().replace("-", "_")
        if not equals or name not in LIMITS:
            known = ", ".join(one.replace("_", "-") for one in LIMITS)
            raise click.BadParameter(f"give it as NAME=VALUE, not {one!r}; there are: {known}", param_hint="--limit")
        chosen[name] = text.strip()
    return {name: parse_limit(name, text) for name, text in chosen.items()}


def _use_boxes(boxes: tuple[str, ...]) -> None:
    """Play some games with other boxes, in this process and in those that it starts."""
    from ridotto.games import BOXES, GAMES, boxes_in_environment, find

    chosen = boxes_in_environment()
    for text in boxes:
        name, equals, file = text.partition("=")
        if not equals:
            raise click.BadParameter(f"give it as GAME=FILE, not {text!r}", param_hint="--box")
        path = Path(file).resolve()
        find(name, path)
        GAMES.use_box(name, path)
        chosen[name] = path
    os.environ[BOXES] = os.pathsep.join(f"{name}={path}" for name, path in chosen.items())


@click.command()
@click.argument("file", type=file_path)
@data_option
@click.option("--keep", type=click.IntRange(1), metavar="N", help="Put the time (UTC) into the name; keep the last N.")
def backup(file: Path, data: Path | None, keep: int | None) -> None:
    """Write everything that the web table keeps to FILE (gzip if it ends in .gz), while it goes on.

    The server's secret, secret.key in its folder, is not in it: keep a copy apart.
    """
    import asyncio

    async def write() -> tuple[Path, Mapping[str, int]]:
        from ridotto.web.storage import backup

        path = backup.dated(file, datetime.now(UTC)) if keep else file
        async with open_storage(data) as storage:
            counts = await backup.write(storage.database, path)
        if keep:
            backup.remove_older(file, keep)
        return path, counts

    path, counts = asyncio.run(write())
    click.echo(f"written: {path} ({_count_text(counts)})")


@click.command()
@click.argument("file", type=file_path)
@data_option
@click.option("--force", is_flag=True, help="Replace what is there.")
@click.option("--drill", is_flag=True, help="Only try it, in a database of its own beside FILE, which is removed again.")
def restore(file: Path, data: Path | None, force: bool, drill: bool) -> None:
    """Put what `ridotto backup` wrote to FILE back, and verify every record. Servers must be stopped, but for a drill.

    Exits with 1 if something in it is wrong.
    """
    import asyncio

    async def read() -> tuple[Mapping[str, int], Findings]:
        from ridotto.web.storage import backup
        from ridotto.web.storage.check import check

        if drill:
            return await backup.drill(file)
        async with open_storage(data, new=True) as storage:
            return await backup.restore(storage.database, file, force=force), await check(storage)

    counts, findings = asyncio.run(read())
    click.echo(f"{'could be restored' if drill else 'restored'}: {_count_text(counts)}; records verified: {findings.verified}")
    report(findings)


def report(findings: Findings) -> None:
    """Say what is wrong in a database, and exit with 1 if anything is."""
    for fault in findings.faults:
        click.echo(f"ridotto: the database is damaged: {fault}", err=True)
    for table, why in findings.wrong.items():
        click.echo(f"ridotto: the record of table {table} does not verify: {why}", err=True)
    if not findings.is_fine:
        sys.exit(1)


def _count_text(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items())) or "nothing"


@asynccontextmanager
async def open_storage(data: Path | None, new: bool = False) -> AsyncIterator[Storage]:
    """The storage of a data folder, or of DATABASE_URL; `new` if it need not be there yet."""
    try:
        from ridotto.web.private_files import keep_private
        from ridotto.web.settings import Settings, data_folder
        from ridotto.web.storage import Storage
    except ModuleNotFoundError as error:
        raise click.ClickException(f"{error.name} is not installed: pip install 'ridotto[web]'") from error

    keep_private()
    settings = Settings(data or data_folder(), os.environ.get("DATABASE_URL", ""))
    if not settings.database:
        if not new and not (settings.data / "ridotto.db").exists():
            raise RidottoError(f"there is no database in {str(settings.data)!r}: name its folder with --data")
        if new:
            _open_data_folder(settings.data)
    storage = Storage(settings.url)
    try:
        yield storage
    finally:
        await storage.close()


def _open_data_folder(data: Path) -> None:
    """Make a data folder with an empty database, unless it is there."""
    from ridotto.web import private_files

    try:
        private_files.open_data_folder(data)
        with suppress(FileExistsError):
            os.close(private_files.create(data / "ridotto.db"))
    except OSError as error:
        raise RidottoError(f"cannot write to {error.filename}: {error.strerror}; choose a folder with --data") from error
