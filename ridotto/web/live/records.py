"""The record of a table, as somebody may have it: whole when it is over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ridotto.core import record
from ridotto.core.game import Game
from ridotto.engine.fields import Seat
from ridotto.present.ui import ui
from ridotto.present.words import Words
from ridotto.web.live.drawing import in_thread
from ridotto.web.live.table import Table
from ridotto.web.storage.tables import TableStorage


class RecordWriter:
    """Writes the records of tables."""

    def __init__(self, tables: TableStorage, games: Mapping[str, Game]) -> None:
        self.tables, self.games = tables, games

    def names(self, table: Table, words: Words) -> tuple[str, ...]:
        """The names in the record of a table."""
        return tuple(chair.name or ui(table.state.game).role(chair.seat, words) for chair in table.info.chairs)

    async def record(self, table: Table, person: str, words: Words) -> str:
        """The record of a table for somebody."""
        document = await self.tables.document(table.id)
        if table.match.fair is not None:
            document[record.DEAL] = await in_thread(record.deal_json, table.match)
        return await in_thread(_redact, document, table.state.seat_of(person), self.names(table, words), self.games)


def _redact(document: dict[str, Any], seat: Seat | None, names: Sequence[str], games: Mapping[str, Game]) -> str:
    """The record of a table as a seat may have it."""
    called = games[document["game"]].box_name
    box = {record.BOX_NAME: called} if called else {}
    return record.dump(record.redact({**document, **box, "names": list(names)}, seat, games))
