"""The ledger of a match as a page: rounds and players, each cell with a link to its moment."""

from __future__ import annotations

from ridotto.present.ui import ui
from ridotto.web.pages.models import TablePage
from ridotto.web.pages.render import render
from ridotto.web.pages.replay import Replay
from ridotto.web.pages.site import page


def ledger(table: TablePage, replay: Replay) -> str:
    """The ledger of a match as far as a moment, with the eyes of the reader."""
    chapters = ui(table.game).ledger.chapters(table.view, table.words)
    inside = render(
        "ledger_table.html",
        table.narrator,
        chapters=chapters,
        seats=table.seats,
        address=lambda ply: replay.address(table.id, ply),
    )
    return page("ledger.html", table.reader, table.narrator, table=table, inside=inside, replay=replay)
