"""The entries of a match in the database, and the match that they give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import sqlalchemy as sa

from ridotto.core import record
from ridotto.core.game import Game
from ridotto.core.match import Entry, Match
from ridotto.engine.fields import Seat
from ridotto.games import GAMES
from ridotto.web.storage.schema import entries, tables


def read_match(document: dict[str, Any], games: Mapping[str, Game] = GAMES) -> tuple[Match, str]:
    """The match of a stored record, verified, and the hash of its last entry; laid out, if it is not dealt yet."""
    if not document["entries"]:
        return record.lay_out(document, games)
    return record.read(document, games)[0], document["head"]


def replay_entries(match: Match, head: str, stored: Sequence[tuple[Entry, str]]) -> tuple[Match, str]:
    """A match with entries that another writer has written, verified, and the hash of the last."""
    later = match.after(match.ply)
    for entry, expected in stored:
        head = record.entry_hash(head, later.ply, entry)
        if head != expected:
            raise record.BadRecord(f"entry at ply {later.ply} was changed: its hash does not fit")
        if later.is_dealt:
            later.repeat(entry)
        else:
            later = Match(match.game, match.seats, match.options, deal=entry, version=match.version)
    return later, head


def entry_row(id: str, ply: int, entry: Entry, hash: str, added: Mapping[Seat, int] = MappingProxyType({})) -> dict[str, Any]:
    """The row of an entry."""
    return {
        "table": id,
        "ply": ply,
        "seat": entry.seat,
        "do": entry.do,
        "draws": list(entry.draws),
        "time": entry.time,
        "salt": entry.salt,
        "position": entry.position,
        "joined": entry.joined,
        "hash": hash,
        "added": {str(seat): milliseconds for seat, milliseconds in added.items()} if added else None,
    }


def read_document(connection: sa.Connection, id: str) -> dict[str, Any]:
    """The match of a table as a record."""
    row = connection.execute(sa.select(tables).where(tables.c.id == id)).one()
    lines = read_entries(connection, id, 0)
    stored = [record.entry_json(ply, entry, link) for ply, (entry, link) in enumerate(lines)]
    return {
        "format": record.FORMAT,
        "version": record.FORMAT_VERSION,
        "game": row.game,
        "rules": row.rules,
        "box": row.box,
        "seats": row.seats,
        "options": row.options,
        "names": [f"seat {seat}" for seat in range(row.seats)],
        "entries": stored,
        "result": row.result,
        "head": stored[-1]["hash"] if stored else "",
        **({record.ORIGIN: origin} if (origin := (row.origin or {}).get("record")) else {}),
        **({record.DEAL: row.deal} if row.deal is not None else {}),
    }


def read_entries(connection: sa.Connection, id: str, ply: int) -> list[tuple[Entry, str]]:
    """The entries of a match from a ply on, with their hashes."""
    chosen = sa.select(entries).where(entries.c.table == id, entries.c.ply >= ply).order_by(entries.c.ply)
    rows = connection.execute(chosen).all()
    return [(Entry(row.seat, row.do, tuple(row.draws), row.time, row.salt, row.position, row.joined), row.hash) for row in rows]


def stored_deal(match: Match) -> dict[str, Any] | None:
    """The stored form of a fair deal: with the secret only if the match is over, and came with its record."""
    if match.fair is None:
        return None
    return (match.fair if match.outcome is not None else match.fair.with_secret(None)).json()
