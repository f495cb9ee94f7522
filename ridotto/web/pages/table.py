"""The table in words: the title of the tab, and what is announced to those who listen to the page."""

from __future__ import annotations

from itertools import islice, takewhile
from typing import Final

from ridotto.present import views
from ridotto.web.pages.models import TablePage
from ridotto.web.pages.table_result import verdict

NEWS: Final = 3
"""Lines of the log beside the question."""


def heading(table: TablePage) -> str:
    """The title of the tab."""
    say = table.narrator.say
    title = table.game.title
    if table.state == "over":
        return f"{verdict(table)} – {title}"
    if table.view.seat in table.view.to_act:
        return say("It is your turn – {title}", title=title)
    return f"{title} – Ridotto"


def announcement(table: TablePage, since: int) -> str:
    """The changes since a ply, as a sentence or two for screen readers."""
    say = table.narrator.say
    first = since or (table.log[-1].ply if table.log else 0)
    latest = takewhile(lambda line: line.ply >= first, reversed(table.log))
    parts = [line.text for line in islice(latest, 2 * NEWS)][::-1]
    if table.state == "over":
        parts.append(verdict(table))
    elif table.view.seat in table.view.to_act:
        parts.append(say("It is your turn."))
        parts.append(views.question(table.view, table.words))
    elif table.state == "open":
        parts.append(say("Waiting for players."))
    return " ".join(part for part in parts if part)
