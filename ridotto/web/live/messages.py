"""Live messages: what changed at a table, for those who see the same of it.

A page that shows one state is brought to the next by a message with the differences: items of the picture, new lines of the
log, and small parts of the page. What an audience sees of a state is its *snapshot*, worked out once; the message from one
snapshot to another is worked out, written and compressed once for everybody who needs it.

What happened between two states is told in *beats* (`ridotto.present.beats`), so that a page can show one after another. Mostly
it is one. Where it is several, all but the last are the message's *steps*, each with the difference that it makes.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeVar

from ridotto.core.view import View
from ridotto.present.beats import Beat, beats, hold
from ridotto.present.beats import parts as parts_of
from ridotto.present.html import Html
from ridotto.present.scene import Scene
from ridotto.present.ui import ui
from ridotto.web.live.cache import AsyncCache
from ridotto.web.live.drawing import in_turn
from ridotto.web.live.encoding import encode
from ridotto.web.live.state import TableState
from ridotto.web.live.view_models import Audience, offer_to, past_table, perspective_now, table_page
from ridotto.web.pages import site as pages
from ridotto.web.pages import table_log, table_panels, table_people
from ridotto.web.pages.boards import board_of
from ridotto.web.pages.models import Reader, TablePage

Result = TypeVar("Result")
NOTHING: Final = Scene({}, {})
"""The empty picture, while a device is handed over."""
FEW_STEPS: Final = 3
"""Entries that are shown one by one without waiting for a thread."""
MOST_STEPS: Final = 30
"""Beats that a message shows one by one; whoever has missed more sees how the table stands, and may watch the rest."""


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A state as one audience sees it."""

    number: int
    """The serial number of the state."""
    table: TablePage
    scene: Scene
    parts: dict[str, Html]
    """The small parts of the page, by the id of their element."""
    people: list[Html]
    """Everybody at the table."""
    heading: str
    head: str
    """The hash of the last entry, for those whose browser keeps a receipt of the deal; "" for others."""

    @property
    def view(self) -> View:
        return self.table.view

    @property
    def is_hidden(self) -> bool:
        """Whether nothing is shown, because a device is being handed over."""
        return self.table.handover is not None


async def snapshot(state: TableState, audience: Audience, now: int) -> Snapshot:
    """The snapshot of a state for an audience, computed once."""
    offer = await offer_to(state, audience)

    def work() -> Snapshot:
        table = table_page(state, Reader("", audience.language), audience, offer, now, perspective_now(state, audience))
        parts, heading = pages.small_parts(table), pages.heading(table)
        head = state.head if audience.is_player and state.match.fair is not None else ""
        if table.handover is not None:
            return Snapshot(state.serial, table, NOTHING, parts, [], heading, head)
        return Snapshot(state.serial, table, table.scene, parts, table_people.each_person(table), heading, head)

    return await _once(state.messages, ("snapshot", audience), work, state.is_new_to(audience.seat, audience.language))


async def message(
    state: TableState, audience: Audience, last: Snapshot | None, now: int, since: int
) -> tuple[Snapshot, Message]:
    """The new snapshot, and the message that leads to it: from the last one, or from nothing.

    `since` is the ply that a page without a snapshot shows: what happened after it is announced.
    """
    new, since = await snapshot(state, audience, now), min(since, state.ply)

    def work() -> Message:
        data = _whole(state, new, now, since) if last is None else _difference(state, last, new, now)
        return Message(_event(data, new.number))

    if last is None:
        cache = state.messages if since == state.ply else state.first_messages
        return new, await _once(cache, ("message", audience, since), work, state.ply - since > FEW_STEPS)
    key = "message", audience, last.number, last.table.handover
    return new, await _once(state.messages, key, work, state.ply - last.view.ply > FEW_STEPS)


async def message_of_people(state: TableState, audience: Audience, shown: int, now: int) -> Message:
    """The message for a page that shows the state of the number `shown`, which differs in nothing but who is there.

    Neither the picture nor the log is drawn for it: when a server was started again, everybody comes at once.
    """
    offer = await offer_to(state, audience)

    def work() -> Message:
        table = table_page(state, Reader("", audience.language), audience, offer, now, None)
        data = {"since": shown, **_base(table, state.serial, now, state.ply), "parts": pages.changing_parts(table)}
        data["people"] = {str(seat): html for seat, html in enumerate(table_people.each_person(table))}
        return Message(_event(data, state.serial))

    return state.messages.now(("people", audience, shown), work)


async def _once(cache: AsyncCache, key: Hashable, work: Callable[[], Result], is_long: bool) -> Result:
    """The result of `work`, computed once for all: on the loop, or in a thread if it is long."""
    return await cache.get(key, lambda: in_turn(work)) if is_long else cache.now(key, work)


class Message:
    """An event of a stream, compressed by itself, so that it can be sent to everybody who gets the same."""

    def __init__(self, plain: bytes) -> None:
        self.packed = pack(plain)

    @property
    def plain(self) -> bytes:
        """For the few who want it as it is."""
        return zlib.decompressobj(-15).decompress(self.packed)


def _event(data: dict[str, Any], number: int) -> bytes:
    """A message as an event of the stream."""
    return b"id: %d\nevent: table\ndata: %b\n\n" % (number, encode(data))


def _base(table: TablePage, number: int, now: int, since: int, head: str = "") -> dict[str, Any]:
    data = {
        "ply": table.view.ply,
        "number": number,
        "now": now,
        "announcement": pages.announcement(table, since) if since < table.view.ply else "",
        "turn": any(one.you and one.owing and not one.stand_in for one in table.seats),
    }
    if head:
        data["head"] = head
    return data


def _whole(state: TableState, new: Snapshot, now: int, since: int) -> dict[str, Any]:
    """Everything, for a page that shows something else."""
    if new.is_hidden:
        nothing = {"whole": True, "panels": []}
        return {
            **_base(new.table, new.number, now, since, new.head),
            "heading": new.heading,
            "parts": {**new.parts, "since": "", "log": ""},
            "scene": nothing,
        }
    film = _film(state, _Shown(), new, since)
    film.setdefault("parts", {})["since"] = table_log.since(new.table)
    return {**_base(new.table, new.number, now, since, new.head), "heading": new.heading, **film}


def _difference(state: TableState, old: Snapshot, new: Snapshot, now: int) -> dict[str, Any]:
    """The difference from the old snapshot to the new one."""
    if old.is_hidden or new.is_hidden or old.table.narrator.names != new.table.narrator.names:
        return {"since": old.number, **_whole(state, new, now, old.view.ply)}
    data = {"since": old.number, **_base(new.table, new.number, now, old.view.ply, new.head)}
    if old.heading != new.heading:
        data["heading"] = new.heading
    page = _Shown(old.scene, old.people, len(old.table.log), dict(old.parts))
    return data | _film(state, page, new, old.view.ply)


@dataclass
class _Shown:
    """What a page shows: the picture, everybody, so many lines of the log, and its small parts. None: something else."""

    scene: Scene | None = None
    people: list[Html] | None = None
    lines: int | None = None
    parts: dict[str, Html] = field(default_factory=dict)

    def changes(self, table: TablePage, people: list[Html], parts: dict[str, Html]) -> dict[str, Any]:
        """The changes that lead from here to a table, besides those of the picture. Then the page shows that."""
        data = dict[str, Any]()
        sent = {name: html for name, html in parts.items() if self.parts.get(name) != html}
        if self.people is None:
            sent["people"] = table_people.people(table)
        elif changed := {str(seat): html for seat, html in enumerate(people) if self.people[seat] != html}:
            data["people"] = changed
        if not self.lines and (table.log or self.lines is None):
            sent["log"] = table_log.log(table)
        elif self.lines is not None and len(table.log) > self.lines:
            data["log"] = table_log.log_since(table, self.lines)
        self.people, self.lines, self.parts = people, len(table.log), self.parts | parts
        return data | {"parts": sent} if sent else data


def _film(state: TableState, page: _Shown, new: Snapshot, first: int) -> dict[str, Any]:
    """The entries from `first` on, beat by beat and part by part, for a page that shows something."""
    table, steps = new.table, list[dict[str, Any]]()
    found = beats(table.game, table.view.seen, first, table.view.ply)
    if len(found) > MOST_STEPS:
        seen = tuple(one for beat in found for one in beat.seen)
        last, data = replace(found[-1], first=first, goes_on=False), {"missed": len(found)}
        return {**data, **_last_frame(page, new, replace(last, seen=seen), pages.moments(table, last.seen))}
    for at, beat in enumerate(found):
        start, is_last = 0, at == len(found) - 1
        for part in parts_of(table.game, beat, state.match.events_of(beat.last), table.view.seat):
            now = replace(beat, seen=beat.seen[start : part.stop], goes_on=beat.goes_on or start > 0)
            start, is_rest = part.stop, part.at is None
            told = table if is_last and is_rest else past_table(state, table, beat.last, part)
            moments = pages.moments(told, now.seen) if now.seen else []
            if is_rest and any("panel" in one for one in moments):
                # What stands beside the board is seen before anything is asked.
                past = past_table(state, table, beat.last)
                steps.append(_frame(page, past, now, beat.last, moments))
                now, moments = replace(now, seen=(), goes_on=True), []
            if is_last and is_rest:
                return {**({"steps": steps} if steps else {}), **_last_frame(page, new, now, moments)}
            steps.append(_frame(page, told, now, beat.last + is_rest, moments, is_rest))
    return _last_frame(page, new, None, [])


def _frame(
    page: _Shown, table: TablePage, beat: Beat, ply: int, moments: list[dict[str, Any]], is_whole: bool = False
) -> dict[str, Any]:
    """A step of a message: a beat before the last one, or a part of one, after which nobody is asked yet."""
    is_asked = table.view.seat in table.view.to_act
    parts = {"ask": pages.asking(table)} if is_whole and not is_asked else {}
    changes = page.changes(table, table_people.each_person(table), parts)
    told = _beat(table, beat, moments) | ({} if is_whole else {"part": True})
    return {"ply": ply, "beat": told, **changes, **_picture(page, table, beat)}


def _last_frame(page: _Shown, new: Snapshot, beat: Beat | None, moments: list[dict[str, Any]]) -> dict[str, Any]:
    """The end of a message, which leads to the state itself."""
    data = page.changes(new.table, new.people, new.parts)
    if beat is not None:
        data["beat"] = _beat(new.table, beat, moments)
    return data | _picture(page, new.table, beat)


def _beat(table: TablePage, beat: Beat, moments: list[dict[str, Any]]) -> dict[str, Any]:
    """A beat, or a part of one, in words; for how long it is held, and what it puts on the stage."""
    told: dict[str, Any] = {"recent": min(table.recent, beat.first), "lines": table_log.latest(table, len(beat.seen))}
    if length := hold(table.game, beat.seen):
        told["hold"] = length
    if beat.goes_on:
        told["on"] = True
    if moments:
        told["moments"] = moments
    return told


def _picture(page: _Shown, table: TablePage, beat: Beat | None) -> dict[str, Any]:
    """The difference of the board, with the items that glide."""
    shown, page.scene = page.scene, table.scene
    if shown is None:
        return {"scene": table_panels.whole_scene(table)}
    scene = table_panels.changes(shown, table, board_of(table.game, table.view, table.words).looks)
    if not scene:
        return {}
    moves = ui(table.game).picture.moves(table.view, beat.seen) if beat and beat.seen else ()
    return {"scene": scene, "moves": [list(move) for move in moves]} if moves else {"scene": scene}


# Compression.

HEAD: Final = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
"""The beginning of a gzip stream."""


def pack(piece: bytes) -> bytes:
    """A piece of a gzip stream that refers to nothing before it: whoever has a stream open can be sent the same bytes."""
    packer = zlib.compressobj(3, zlib.DEFLATED, -15, 7)
    return packer.compress(piece) + packer.flush(zlib.Z_FULL_FLUSH)
