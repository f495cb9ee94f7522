"""Looking back at a table: replay, playing on from a moment, reviews, and records that somebody brings.

While a match goes on, everybody looks back with their own eyes: what they saw then. When it is over there are no secrets, and
any eyes will do, open ones included.
"""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final, Literal

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from ridotto import bots
from ridotto.core import record
from ridotto.core.match import Match
from ridotto.core.narrator import clean_name, language, say, seated
from ridotto.core.view import Seen, View
from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import Seat
from ridotto.web.errors import Fault
from ridotto.web.identity import Person, new_id
from ridotto.web.live import review_queue as judging
from ridotto.web.live import tables
from ridotto.web.live.bot_runner import LEVELS
from ridotto.web.live.tables import Moment, Table
from ridotto.web.pages import models
from ridotto.web.pages import replay as lookback_pages
from ridotto.web.pages.replay import OPEN, WATCH, Replay, Reviewed
from ridotto.web.storage.store import Place

if TYPE_CHECKING:
    from ridotto.web.server.app import Answer, Office, Visitor

LARGEST: Final = 2 * 1024 * 1024
"""Bytes of a record that somebody brings, as it is sent."""
WAITING: Final = 20
"""Reviews that are made or wait to be, at the most."""
BOTS: Final = frozenset(f"bot:level:{level}" for level in LEVELS)


def routes(office: Office) -> list[tuple[str, Answer, str]]:
    """The addresses of this module, what answers there, and the method."""
    looking = Lookback(office)
    return [
        ("/t/{id}/replay", looking.replay, "GET"),
        ("/t/{id}/replay/moment", looking.moment, "GET"),
        ("/t/{id}/onward", looking.onward, "POST"),
        ("/t/{id}/review", looking.review, "GET"),
        ("/t/{id}/review", looking.begin_review, "POST"),
        ("/t/{id}/review/progress", looking.progress, "GET"),
        ("/records", looking.records, "GET"),
        ("/records", looking.bring, "POST"),
    ]


# What was seen then.


def eyes_of(moment: Moment, person: str) -> list[str]:
    """With whose eyes somebody may look back; the first if they do not say."""
    own = moment.seat_of(person)
    if moment.match.to_act:
        return [WATCH if own is None else str(own)]
    seats = [str(seat) for seat in range(moment.match.seats)]
    first = [OPEN] if own is None else [str(own)]
    return [*first, *(one for one in (*seats, WATCH, OPEN) if one not in first)]


def then(match: Match, ply: int, eyes: str) -> View:
    """The table as it was after an entry, as these eyes saw it; nothing can be done there any more."""
    past = match.after(ply + 1)
    if eyes == OPEN:
        seen = tuple(
            Seen(one.ply, one.event, {arg.name: value for arg, value in zip(one.event.args, one.values, strict=True)})
            for one in past.events
        )
        return replace(past.view(None), row=tuple(past.row), seen=seen)
    return replace(past.view(None if eyes == WATCH else int(eyes)), legal=())


def rounds(match: Match) -> list[int]:
    """The entries with which rounds begin; the deal alone where the game has no rounds."""
    at = match.rules.ROUND
    if at < 0:
        return [0]
    numbers = [match.row_after(ply)[at] for ply in range(match.ply)]
    return [ply for ply, number in enumerate(numbers) if ply == 0 or number != numbers[ply - 1]]


class Lookback:
    """The functions behind the routes."""

    def __init__(self, office: Office) -> None:
        self.office = office

    # Replay.

    async def asked(self, request: Request) -> tuple[Visitor, Moment, models.TablePage, Replay]:
        """Who wants to see which moment, with whose eyes."""
        visitor = await self.office.visitor(request)
        table = await self.office.table(request, visitor)
        moment, given = table.moment, request.query_params
        allowed = eyes_of(moment, visitor.id)
        eyes = given.get("eyes", "") or allowed[0]
        if eyes not in allowed:
            if eyes in (OPEN, WATCH, *(str(seat) for seat in range(moment.match.seats))):
                raise Fault(403, say("while a match goes on, you can look back with your own eyes only"))
            raise self.office.nothing(request)
        last = moment.ply - 1
        number = given.get("ply", str(last))
        if not number.isdecimal() or len(number) > 6 or int(number) > last:
            raise Fault(404, say("this match has moments 0 to {last}", last=last))
        shown = await moment.shown_to(visitor.reader, visitor.id, self.office.links(request))
        ply = int(number)
        past = await asyncio.to_thread(self.past, moment, shown, ply, eyes)
        starts = await moment.once(("rounds",), partial(rounds, moment.match))
        may_play_on = self.may_play_on(table, visitor.id, ply)
        told = Replay(ply, last, eyes, tuple(allowed), tuple(starts), may_play_on, moment.seat_of(visitor.id))
        return visitor, moment, past, told

    def past(self, moment: Moment, shown: models.TablePage, ply: int, eyes: str) -> models.TablePage:
        """The scene of a moment that has passed."""
        view = then(moment.match, ply, eyes)
        with language(shown.reader.language), seated(moment.names):
            lines = tuple(
                models.LogLine(one.ply, event["section"], event["text"], one.values.get("seat"))
                for one, event in zip(view.seen, view.events(view.game.words_now()), strict=True)
            )
        seats = tuple(
            replace(place, owing=place.seat in view.to_act, clock=None, link="", you=str(place.seat) == eyes)
            for place in shown.seats
        )
        state: Literal["playing", "over"] = "over" if view.outcome else "playing"
        return replace(
            shown,
            view=view,
            log=lines,
            seats=seats,
            state=state,
            panels=(),
            thinking=(),
            offer=None,
            handover=None,
            since=ply,
        )

    def may_play_on(self, table: Table, person: str, ply: int) -> bool:
        """Whether somebody may make a moment a table of its own: not in the middle of a match against people."""
        match = table.match
        if not match.after(ply + 1).to_act:
            return False
        return not match.to_act or (table.facts.keys.get(person) is not None and tables.has_hints(table.facts))

    async def replay(self, request: Request) -> Response:
        visitor, moment, shown, told = await self.asked(request)
        link = f"{self.office.links(request).base}/t/{shown.id}/replay?ply={told.ply}&eyes={told.eyes}"
        made = await judging.kept(self.office.store, shown.id) if not moment.match.to_act else None
        draw = partial(lookback_pages.replay, shown, told, link, made, moment.match)
        return await self.office.page(request, visitor, draw)

    async def moment(self, request: Request) -> Response:
        """The parts of a replay that change."""
        _, _, shown, told = await self.asked(request)
        return JSONResponse(await asyncio.to_thread(lookback_pages.parts, shown, told))

    # Playing on.

    async def onward(self, request: Request) -> Response:
        """A new table from a moment of this one."""
        visitor, form = await self.office.sent(request)
        table = await self.office.table(request, visitor)
        match, number = table.match, str(form.get("ply", ""))
        if not number.isdecimal() or len(number) > 6 or int(number) >= match.ply:
            raise Fault(400, say("this match has moments 0 to {last}", last=match.ply - 1))
        ply = int(number)
        if not self.may_play_on(table, visitor.id, ply):
            raise Fault(
                409, say("there is nothing to play on from here: the match is over then, or still goes on between people")
            )
        sitters = [str(form.get(f"seat{seat}", "")) for seat in range(match.seats)]
        if not all(who in ("me", "friend", "open") or who in BOTS for who in sitters) or sitters.count("me") > 1:
            raise Fault(400, say("say for every seat who shall play: you at one of them, a friend, or a bot"))
        seat = sitters.index("me") if "me" in sitters else None
        if match.to_act and seat != table.moment.seat_of(visitor.id):
            raise Fault(403, say("while a match goes on, you can look back with your own eyes only"))
        self.check_founding(request)
        later = await asyncio.to_thread(self.dealt, match, ply, seat)
        person = await self.office.known(visitor)
        places = [placed(at, who, person.id) for at, who in enumerate(sitters)]
        origin = {"kind": "onward", "table": table.id, "ply": ply, "record": later.origin}
        spoken = person.language or visitor.reader.language
        new = await self.office.house.found(
            later, places, host=person.id, private=table.facts.private, spoken=spoken, origin=origin
        )
        return self.office.with_cookie(request, visitor, RedirectResponse(f"/t/{new.id}", 303))

    def dealt(self, match: Match, ply: int, seat: Seat | None) -> Match:
        later = match.onward(ply, seat)
        assert later.origin is not None
        later.origin["head"] = record.write(match)["entries"][ply]["hash"]
        return later

    def check_founding(self, request: Request) -> None:
        if wait := self.office.founding.take(request.scope["ridotto.address"]):
            self.office.figures.refused.labels("founding").inc()
            raise Fault(429, say("too many new tables: wait a moment"), wait=wait)

    # Reviews.

    async def finished(self, request: Request, visitor: Visitor) -> Table:
        table = await self.office.table(request, visitor)
        if table.match.to_act:
            raise Fault(409, say("the match is not over yet"))
        return table

    async def review(self, request: Request) -> Response:
        """The review of a match, or how far it is, or the offer to make one."""
        visitor = await self.office.visitor(request)
        table = await self.finished(request, visitor)
        # In this order: whoever asks while it is finished sees either.
        job = await judging.job(self.office.store, table.id)
        made = await judging.kept(self.office.store, table.id)
        shown = await table.moment.shown_to(visitor.reader, visitor.id, self.office.links(request))
        told = Reviewed(made, job.done if job else 0, job.total if job else 0, failed=bool(job and job.failed))
        draw = partial(lookback_pages.review, shown, told, table.match)
        if made is None:
            return await self.office.page(request, visitor, draw)
        key = ("review", visitor.reader, table.moment.names, made.bot, made.plies)
        html = await table.moment.once(key, draw)
        return await self.office.page(request, visitor, lambda: html)

    async def begin_review(self, request: Request) -> Response:
        """Let a review be made in the background."""
        visitor, _ = await self.office.sent(request)
        table = await self.finished(request, visitor)
        keeper = self.office.store
        job = await judging.job(keeper, table.id)
        if (job is None or job.failed) and await judging.kept(keeper, table.id) is None:
            if len(await judging.waiting(keeper)) >= WAITING:
                raise Fault(503, say("too many reviews are being made: try again later"), wait=30)
            self.check_founding(request)
            await self.office.judges.ask(table.id, table.match)
        return RedirectResponse(f"/t/{table.id}/review", 303)

    async def progress(self, request: Request) -> Response:
        """How far a review is."""
        visitor = await self.office.visitor(request)
        table = await self.finished(request, visitor)
        job = await judging.job(self.office.store, table.id)
        if job is None:
            ready = await judging.kept(self.office.store, table.id) is not None
            return JSONResponse({"done": 0, "total": 0, "ready": ready, "failed": False})
        return JSONResponse({"done": job.done, "total": job.total, "ready": False, "failed": job.failed})

    # Records that somebody brings.

    async def records(self, request: Request) -> Response:
        visitor = await self.office.visitor(request)
        return await self.office.page(request, visitor, partial(lookback_pages.records, visitor.reader))

    async def bring(self, request: Request) -> Response:
        """A record becomes a table that is over, for whoever brought it and whom they give the link."""
        visitor, form = await self.office.sent(request, LARGEST)
        self.check_founding(request)
        try:
            match, names = await asyncio.to_thread(self.verified, str(form.get("record", "")))
        except RidottoError as error:
            draw = partial(lookback_pages.records, visitor.reader, str(error))
            return await self.office.page(request, visitor, draw, 400)
        person = await self.office.known(visitor)
        spoken = person.language or visitor.reader.language
        origin = {"kind": "record", "record": match.origin}
        places = [await self.sitter(seat, name, spoken) for seat, name in enumerate(names)]
        table = await self.office.house.found(match, places, host=person.id, private=True, spoken=spoken, origin=origin)
        return self.office.with_cookie(request, visitor, RedirectResponse(f"/t/{table.id}/replay", 303))

    def verified(self, text: str) -> tuple[Match, list[str]]:
        """The match of a record, if every check holds and it is over."""
        if not text.strip():
            raise record.BadRecord(say("there is no record: choose a file, or put its text in"))
        match, names = record.read(record.parse(text), self.office.house.games)
        if match.to_act:
            raise record.BadRecord(say("this match is not over: only a finished one can be looked at here"))
        return match, [*names, *[""] * match.seats][: match.seats]

    async def sitter(self, seat: Seat, name: str, spoken: str) -> Place:
        """The seat of somebody who is only known by a record."""
        if f"bot:{name}" in BOTS:
            return placed(seat, f"bot:{name}", "")
        shown = "" if name in (f"seat {seat}", "you") else clean_name(name)
        person = Person(new_id(), shown, spoken)
        await self.office.store.keep(person)
        return Place(seat, "person", False, person.id, person.name, None, secrets.token_hex(16))


def placed(seat: Seat, who: str, person: str) -> Place:
    """The seat that a form asks for."""
    salt = secrets.token_hex(16)
    if who in ("me", "here"):
        return Place(seat, "person", False, person, "", None, salt)
    if who in ("friend", "open"):
        return Place(seat, "free", who == "open", None, "", None, salt)
    bot = bots.find(who.removeprefix("bot:")).name
    return Place(seat, "bot", False, None, bot, bot, salt)
