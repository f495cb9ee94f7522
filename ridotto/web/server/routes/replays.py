"""Replays: looking back at a table, and playing on from there."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable
from functools import partial
from typing import Any, Final, Literal

from starlette.responses import Response

from ridotto.core import record
from ridotto.core.match import Match
from ridotto.engine.fields import Seat
from ridotto.present.beats import beats
from ridotto.present.narrator import mark
from ridotto.present.ui import ui
from ridotto.web.errors import Forbidden, NotFound, NotNow, RequestError
from ridotto.web.live.drawing import in_thread
from ridotto.web.live.replays import allowed_eyes, past_model, past_view, round_starts
from ridotto.web.live.seating import Seating
from ridotto.web.live.table import Table
from ridotto.web.live.view_models import table_model
from ridotto.web.pages import ledger as ledgers
from ridotto.web.pages import models
from ridotto.web.pages import replay as replay_pages
from ridotto.web.pages.replay import OPEN, WATCH, Replay
from ridotto.web.pages.table_panels import whole_scene
from ridotto.web.server.requests import Context, Endpoint
from ridotto.web.server.table_form import BOTS, new_chair
from ridotto.web.storage.reviews import ReviewStorage

MEDIA: Final = {"page": "text/html", "ledger": "text/html", "picture": "image/svg+xml"}


class ReplayRoutes:
    def __init__(self, seating: Seating, reviews: ReviewStorage) -> None:
        self.seating, self.reviews = seating, reviews

    def endpoints(self) -> list[Endpoint]:
        return [
            Endpoint("/t/{id}/replay", self.show),
            Endpoint("/t/{id}/replay/moment", self.change),
            Endpoint("/t/{id}/replay/scene", self.scene),
            Endpoint("/t/{id}/ledger", self.ledger),
            Endpoint("/t/{id}/picture.svg", self.picture),
            Endpoint("/t/{id}/onward", self.play_on, "POST"),
        ]

    async def _replay(self, context: Context) -> tuple[Table, Replay]:
        """The moment that the visitor asks for, and the eyes."""
        table = await context.dealt_table()
        state, query = table.state, context.query
        allowed = allowed_eyes(state, context.person)
        eyes = query.get("eyes", "") or allowed[0]
        if eyes not in allowed:
            if eyes in (OPEN, WATCH, *(str(seat) for seat in range(state.match.seats))):
                raise Forbidden(mark("while the match goes on, you can only replay what you could see"))
            raise context.not_found()
        last = state.ply - 1
        number = query.get("ply", str(last))
        if not number.isdecimal() or len(number) > 6 or int(number) > last:
            raise NotFound(mark("this match has moments 0 to {last}"), last=last)
        ply = int(number)
        starts = await state.once(("rounds",), partial(round_starts, state.match))
        may_play_on = self._may_play_on(table, context.person, ply)
        replay = Replay(ply, last, eyes, tuple(allowed), tuple(starts), may_play_on, state.seat_of(context.person))
        return table, replay

    def _may_play_on(self, table: Table, person: str, ply: int) -> bool:
        """Whether somebody may make a table of its own from there: not in the middle of a match against people."""
        match = table.match
        if not match.after(ply + 1).to_act:
            return False
        return not match.to_act or (table.info.is_player(person) and table.info.has_hints)

    async def show(self, context: Context) -> Response:
        table, replay = await self._replay(context)
        link = f"{context.links.table(table.id)}/replay?ply={replay.ply}&eyes={replay.eyes}"
        review = await self.reviews.load(table.id) if not table.match.to_act else None
        match = table.match

        def draw(past: models.TablePage) -> str:
            return replay_pages.replay(past, replay, link, review, match)

        return await self._kept(context, table, replay, "page", draw, review is not None)

    async def change(self, context: Context) -> Response:
        """The changes of the page for another moment."""
        table, replay = await self._replay(context)
        return await self._kept(context, table, replay, "change", lambda past: _json(replay_pages.change(past, replay)))

    async def scene(self, context: Context) -> Response:
        """The picture of a moment alone, with the moments that a step back or on leads to."""
        table, replay = await self._replay(context)
        match = table.match

        def draw(past: models.TablePage) -> str:
            return _json({"ply": replay.ply, "scene": whole_scene(past), **_around(past, match)})

        return await self._kept(context, table, replay, "scene", draw)

    async def ledger(self, context: Context) -> Response:
        """The rounds of the match as a table, as far as a moment."""
        table, replay = await self._replay(context)
        if not ui(table.match.game).has_ledger:
            raise context.not_found()
        return await self._kept(context, table, replay, "ledger", lambda past: ledgers.ledger(past, replay))

    async def picture(self, context: Context) -> Response:
        """The table as a file: as it is, or as it was at a moment, with the eyes that are asked for."""
        table, replay = await self._replay(context)
        theme = "light" if context.reader.theme == "light" else "dark"

        def draw(past: models.TablePage) -> str:
            return ui(past.game).file(past.view, past.words, theme)

        return await self._kept(context, table, replay, "picture", draw, theme)

    async def _kept(
        self,
        context: Context,
        table: Table,
        replay: Replay,
        what: Literal["page", "change", "scene", "ledger", "picture"],
        draw: Callable[[models.TablePage], str],
        *more: Hashable,
    ) -> Response:
        """A moment of a match, drawn once for all who see the same."""
        state, audience = table.state, context.audience(table.state)

        async def work(reader: models.Reader) -> str:
            model = await table_model(state, reader, audience)
            return await in_thread(lambda: draw(past_model(state, model, replay.ply, replay.eyes)))

        key = "replay", what, table.id, state.serial, audience, replay, *more
        return await context.kept(key, work, MEDIA.get(what, "application/json"))

    async def play_on(self, context: Context) -> Response:
        """A new table from an earlier position of this one."""
        form = await context.form()
        table = await context.dealt_table()
        match, number = table.match, str(form.get("ply", ""))
        if not number.isdecimal() or len(number) > 6 or int(number) >= match.ply:
            raise RequestError(mark("this match has moments 0 to {last}"), last=match.ply - 1)
        ply = int(number)
        if not self._may_play_on(table, context.person, ply):
            raise NotNow(mark("you cannot play on from here: the match is over then, or people are still playing it"))
        sitters = [str(form.get(f"seat{seat}", "")) for seat in range(match.seats)]
        if not all(who in ("me", "friend", "open") or who in BOTS for who in sitters) or sitters.count("me") > 1:
            raise RequestError(mark("say who plays in every seat: you in one of them, a friend, or a bot"))
        seat = sitters.index("me") if "me" in sitters else None
        if match.to_act and seat != table.state.seat_of(context.person):
            raise Forbidden(mark("while the match goes on, you can only replay what you could see"))
        await context.check_new_table(stored=200 * ply, bots_alone=all(who in BOTS for who in sitters))
        later = await in_thread(_play_on, match, ply, seat)
        person = await context.save_visitor()
        new = await self.seating.create(
            later,
            [new_chair(at, who, person.id) for at, who in enumerate(sitters)],
            host=person.id,
            private=table.info.private,
            language=person.language or context.reader.language,
            origin={"kind": "onward", "table": table.id, "ply": ply, "record": later.origin},
        )
        return context.redirect(f"/t/{new.id}")


def _around(past: models.TablePage, match: Match) -> dict[str, Any]:
    """The beat of a moment in words, and the ends of the beats before and after it."""
    view, game = past.view, past.game
    seen = past_view(match, match.ply - 1, WATCH if view.seat is None else str(view.seat)).seen
    found = beats(game, seen, 0, match.ply)
    at = next(number for number, beat in enumerate(found) if beat.last >= view.ply - 1)
    lines = [line.text for line in past.log if line.ply >= found[at].first]
    before = found[at - 1].last if at else None
    after = found[at + 1].last if at + 1 < len(found) else None
    moves = [list(move) for move in ui(game).picture.moves(view, found[at].seen)]
    return {"lines": lines, "before": before, "after": after, "moves": moves}


def _json(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _play_on(match: Match, ply: int, seat: Seat | None) -> Match:
    """A match that goes on from after an entry of another one, which its origin names by its hash."""
    later = match.onward(ply, seat)
    assert later.origin is not None
    later.origin["head"] = record.write(match)["entries"][ply]["hash"]
    return later
