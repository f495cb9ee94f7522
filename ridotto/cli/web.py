"""The web table: serve it, and keep copies of what it stores."""

from __future__ import annotations

import ipaddress
import os
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ridotto.cli.options import file_path, folder_path
from ridotto.engine.errors import RidottoError

if TYPE_CHECKING:
    from ridotto.web.storage import Storage

data_option = click.option("--data", type=folder_path, envvar="RIDOTTO_DATA", help="Where tables are kept.")


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen; 0.0.0.0 lets others in the network in.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="Where to listen; 0: any free one."
)
@data_option
@click.option(
    "--address",
    default="",
    metavar="URL",
    envvar="RIDOTTO_ADDRESS",
    help="How the world reaches the server, if a proxy stands before it.",
)
@click.option(
    "--proxy",
    "proxies",
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
    help="Tell addresses that players give of their turn: on the open internet, or all, this network's too.",
)
@click.option(
    "--metrics",
    "metrics_for",
    multiple=True,
    metavar="NETWORK",
    envvar="RIDOTTO_METRICS",
    help="A network that may read /metrics; without this, the machine itself.",
)
@click.option(
    "--no-auto-review",
    is_flag=True,
    envvar="RIDOTTO_NO_AUTO_REVIEW",
    help="Look for the turning point of a match only when somebody asks for its review.",
)
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
    metrics_for: tuple[str, ...],
    no_auto_review: bool,
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
    more_settings |= {"proxies": tuple(map(_network, proxies)), **_limits(limits)}
    more_settings |= {"log_addresses": not no_log_addresses, "auto_review": not no_auto_review}
    more_settings |= {"metrics_for": tuple(map(_network, metrics_for))} if metrics_for else {}
    more_settings |= {"webhooks": notices != "off", "webhooks_inside": notices == "all"}
    settings = Settings(folder, os.environ.get("DATABASE_URL", ""), host, port, address, **more_settings)
    log_file = None if str(log) == "-" else log or folder / "server.log"
    runner.serve(settings, browse=browse, log=log_file, tell=click.echo)


def _network(text: str) -> str:
    try:
        return str(ipaddress.ip_network(text.strip(), strict=False))
    except ValueError as error:
        raise click.BadParameter(f"give a network such as 10.0.0.0/8, not {text!r}", param_hint="--proxy") from error


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
def backup(file: Path, data: Path | None) -> None:
    """Write everything that the web table keeps to FILE (gzip if it ends in .gz), while it goes on.

    The server's secret, secret.key in its folder, is not in it: keep a copy apart.
    """
    import asyncio

    async def write() -> Mapping[str, int]:
        from ridotto.web.storage import backup

        async with open_storage(data) as storage:
            return await backup.write(storage.database, file)

    click.echo(f"written: {file} ({_count_text(asyncio.run(write()))})")


@click.command()
@click.argument("file", type=file_path)
@data_option
@click.option("--force", is_flag=True, help="Replace what is there.")
def restore(file: Path, data: Path | None, force: bool) -> None:
    """Put what `ridotto backup` wrote to FILE back, and verify every record. Servers must be stopped."""
    import asyncio

    async def read() -> tuple[Mapping[str, int], int, Mapping[str, str]]:
        from ridotto.web.storage import backup

        async with open_storage(data, new=True) as storage:
            return await backup.restore(storage.database, file, force=force), *await backup.verify(storage)

    counts, verified, failed = asyncio.run(read())
    click.echo(f"restored: {_count_text(counts)}; records verified: {verified}")
    for table, why in failed.items():
        click.echo(f"ridotto: the record of table {table} does not verify: {why}", err=True)
    if failed:
        sys.exit(1)


def _count_text(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items())) or "nothing"


@asynccontextmanager
async def open_storage(data: Path | None, new: bool = False) -> AsyncIterator[Storage]:
    """The storage of a data folder, or of DATABASE_URL; `new` if it need not be there yet."""
    try:
        from ridotto.web.settings import Settings, data_folder
        from ridotto.web.storage import Storage
    except ModuleNotFoundError as error:
        raise click.ClickException(f"{error.name} is not installed: pip install 'ridotto[web]'") from error

    settings = Settings(data or data_folder(), os.environ.get("DATABASE_URL", ""))
    if not settings.database:
        if not new and not (settings.data / "ridotto.db").exists():
            raise RidottoError(f"there is no database in {str(settings.data)!r}: name its folder with --data")
        settings.data.mkdir(parents=True, exist_ok=True)
    storage = Storage(settings.url)
    try:
        yield storage
    finally:
        await storage.close()
