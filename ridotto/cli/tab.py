"""The table in a tab: a folder of static files, made and tried."""

from __future__ import annotations

from pathlib import Path

import click

from ridotto.cli.options import folder_path


@click.command()
@click.option("--out", type=folder_path, required=True, metavar="FOLDER", help="Where the files go.")
@click.option("--serve", is_flag=True, help="Serve the folder afterwards, on this machine alone, and open it in a browser.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8764, show_default=True, help="Where to serve it; 0: any free one."
)
def tab(out: Path, serve: bool, port: int) -> None:
    """Make a folder of static files that plays everything in the browser, without a server.

    Any web host can serve it. After the first visit it works without a network. It needs the extra `tab`.
    """
    from ridotto.web.tab import build

    build.build(out, report=click.echo)
    click.echo(f"{build.describe(out)} in {out}")
    if serve:
        from ridotto.web.tab.serving import serve_folder

        serve_folder(out, port, click.echo)
