"""Replays: looking back at a table, and playing on from there."""

from __future__ import annotations

import asyncio
from functools import partial

from starlette.responses import JSONResponse, Response

from ridotto.core import record
from ridotto.core.match import Match
from ridotto.core.narrator import mark
from ridotto.engine.fields import Seat
from ridotto.web.errors import Forbidden, NotFound, NotNow, RequestError
from ridotto.web.live.replays import allowed_eyes, past_model, round_starts
from ridotto.web.live.state import TableState
from ridotto.web.live.table import Table
from ridotto.web.live.tables import TableService
from ridotto.web.live.view_models import table_model
from ridotto.web.pages import models
from ridotto.web.pages import replay as replay_pages
from ridotto.web.pages.replay import OPEN, WATCH, Replay
from ridotto.web.server.requests import Context, Endpoint
from ridotto.web.server.table_form import BOTS, new_chair
from ridotto.web.storage.reviews import ReviewStorage


class ReplayRoutes:
    def __init__(self, tables: TableService, reviews: ReviewStorage) -> None:
        self.tables, self.reviews = tables, reviews

    def endpoints(self) -> list[Endpoint]:
        return [
            Endpoint("/t/{id}/replay", self.show),
            Endpoint("/t/{id}/replay/moment", self.parts),
            Endpoint("/t/{id}/onward", self.play_on, "POST"),
        ]

    async def _replay(self, context: Context) -> tuple[TableState, models.TablePage, Replay]:
        """What the visitor wants to see, with whose eyes."""
        table = await context.table()
        state, query = table.state, context.query
        allowed = allowed_eyes(state, context.person)
        eyes = query.get("eyes", "") or allowed[0]
        if eyes not in allowed:
            if eyes in (OPEN, WATCH, *(str(seat) for seat in range(state.match.seats))):
                raise Forbidden(mark("while a match goes on, you can look back with your own eyes only"))
            raise context.not_found()
        last = state.ply - 1
        number = query.get("ply", str(last))
        if not number.isdecimal() or len(number) > 6 or int(number) > last:
            raise NotFound(mark("this match has moments 0 to {last}"), last=last)
        model = await table_model(state, context.reader, context.person, context.links)
        ply = int(number)
        past = await asyncio.to_thread(past_model, state, model, ply, eyes)
        starts = await state.once(("rounds",), partial(round_starts, state.match))
        may_play_on = self._may_play_on(table, context.person, ply)
        replay = Replay(ply, last, eyes, tuple(allowed), tuple(starts), may_play_on, state.seat_of(context.person))
        return state, past, replay

    def _may_play_on(self, table: Table, person: str, ply: int) -> bool:
        """Whether somebody may make a table of its own from there: not in the middle of a match against people."""
        match = table.match
        if not match.after(ply + 1).to_act:
            return False
        return not match.to_act or (table.info.is_player(person) and table.info.has_hints)

    async def show(self, context: Context) -> Response:
        state, past, replay = await self._replay(context)
        link = f"{context.links.table(past.id)}/replay?ply={replay.ply}&eyes={replay.eyes}"
        review = await self.reviews.load(past.id) if not state.match.to_act else None
        return await context.page(partial(replay_pages.replay, past, replay, link, review, state.match))

    async def parts(self, context: Context) -> Response:
        """The parts of the page that change."""
        _, past, replay = await self._replay(context)
        return JSONResponse(await asyncio.to_thread(replay_pages.parts, past, replay))

    async def play_on(self, context: Context) -> Response:
        """A new table from an earlier position of this one."""
        form = await context.form()
        table = await context.table()
        match, number = table.match, str(form.get("ply", ""))
        if not number.isdecimal() or len(number) > 6 or int(number) >= match.ply:
            raise RequestError(mark("this match has moments 0 to {last}"), last=match.ply - 1)
        ply = int(number)
        if not self._may_play_on(table, context.person, ply):
            raise NotNow(mark("there is nothing to play on from here: the match is over then, or still goes on between people"))
        sitters = [str(form.get(f"seat{seat}", "")) for seat in range(match.seats)]
        if not all(who in ("me", "friend", "open") or who in BOTS for who in sitters) or sitters.count("me") > 1:
            raise RequestError(mark("say for every seat who shall play: you at one of them, a friend, or a bot"))
        seat = sitters.index("me") if "me" in sitters else None
        if match.to_act and seat != table.state.seat_of(context.person):
            raise Forbidden(mark("while a match goes on, you can look back with your own eyes only"))
        context.check_new_table()
        later = await asyncio.to_thread(_play_on, match, ply, seat)
        person = await context.save_visitor()
        new = await self.tables.create(
            later,
            [new_chair(at, who, person.id) for at, who in enumerate(sitters)],
            host=person.id,
            private=table.info.private,
            language=person.language or context.reader.language,
            origin={"kind": "onward", "table": table.id, "ply": ply, "record": later.origin},
        )
        return context.redirect(f"/t/{new.id}")


def _play_on(match: Match, ply: int, seat: Seat | None) -> Match:
    """A match that goes on from after an entry of another one, which its origin names by its hash."""
    later = match.onward(ply, seat)
    assert later.origin is not None
    later.origin["head"] = record.write(match)["entries"][ply]["hash"]
    return later
