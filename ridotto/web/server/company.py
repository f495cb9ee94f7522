"""What people at a table do besides playing: talk, take back, let a bot play for somebody, hand the device on, be told."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from ridotto.core.errors import Unavailable
from ridotto.core.narrator import current, say
from ridotto.core.takeback import Takeback
from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import Seat
from ridotto.web.clocks import Terms, chosen
from ridotto.web.errors import Fault
from ridotto.web.identity import Person, clean_name, new_id
from ridotto.web.live import notifications as notices
from ridotto.web.live.tables import STAND_IN, Stale, Table, held, holders_of, needed, shared
from ridotto.web.server.limits import Limit
from ridotto.web.storage import around, chat, store
from ridotto.web.storage.around import Hook, Offer

if TYPE_CHECKING:
    from ridotto.web.server.app import Office, Visitor

Answer = Callable[[Request], Awaitable[Response]]
log = logging.getLogger("ridotto.web")


# What a form asks for when a table is set up.


def settings(form: Mapping[str, Any]) -> dict[str, Any]:
    """What was agreed on besides the options of the game; raises RidottoError."""
    found: dict[str, Any] = {}
    terms = chosen(*(str(form.get(name, "")).strip() for name in ("clock", "added", "flag")))
    if terms is not None:
        found["clock"] = terms.json()
    if str(form.get("hushed", "")) not in ("", "0"):
        found["hushed"] = True
    return found


def beside(sitters: Sequence[str]) -> list[Seat]:
    """The seats of those who play on the device of whoever sets up the table, if they are several."""
    found = [seat for seat, who in enumerate(sitters) if who in ("me", "here")]
    return found if len(found) > 1 else []


async def guests_of(keeper: store.Store, names: str, seats: Sequence[Seat], spoken: str) -> dict[Seat, str]:
    """People who play on somebody else's device: a name each, and no cookie of their own."""
    given = [clean_name(one) for one in names.split(",")]
    found = {}
    for at, seat in enumerate(seats):
        person = Person(new_id(), given[at] if at < len(given) else "", spoken)
        await keeper.keep(person)
        found[seat] = person.id
    return found


class Company:
    """The functions behind the routes."""

    def __init__(self, office: Office) -> None:
        self.office = office
        self.talking = Limit(office.settings.talking)

    def routes(self) -> list[tuple[str, Answer, str]]:
        """Path, function and method of each."""
        return [
            ("/t/{id}/takeback", self.takeback, "POST"),
            ("/t/{id}/agree", self.agree, "POST"),
            ("/t/{id}/refuse", self.refuse, "POST"),
            ("/t/{id}/standin", self.stand_in, "POST"),
            ("/t/{id}/return", self.come_back, "POST"),
            ("/t/{id}/hand", self.hand, "POST"),
            ("/t/{id}/talk", self.talk, "POST"),
            ("/t/{id}/talk/remove", self.remove, "POST"),
            ("/t/{id}/talk/report", self.report, "POST"),
            ("/t/{id}/talk/mute", self.mute, "POST"),
            ("/t/{id}/notices", self.notices, "POST"),
        ]

    async def asked(self, request: Request) -> tuple[Visitor, Table, dict[str, Any]]:
        """Who sends what about which table."""
        visitor, form = await self.office.sent(request)
        return visitor, await self.office.table(request, visitor), form

    def done(self, request: Request, table: Table) -> Response:
        """The way back to the table; for the script, which is told what changes, nothing."""
        if "text/html" in request.headers.get("accept", ""):
            return RedirectResponse(f"/t/{table.id}", 303)
        return Response(status_code=204)

    def note(self, table: Table, kind: str, seat: Seat) -> sa.Executable:
        return around.saying(table.id, self.office.store.now, kind, seat=seat)

    # Taking back.

    async def worked_out(self, table: Table, seat: Seat) -> Takeback:
        """Whether a seat may take its last decision back."""
        moment = table.moment
        try:
            return await asyncio.to_thread(moment.match.takeback, seat)
        except Unavailable as error:
            raise Fault(409, error.text(current())) from error

    async def takeback(self, request: Request) -> Response:
        """Somebody wants a decision back: done where nobody has learned anything, else shown to them before it is asked."""
        visitor, table, _ = await self.asked(request)
        seat = self.office.own_seat(table, visitor)
        offer = table.moment.around.offer
        if offer is not None and offer.ply == table.moment.ply and offer.has_agreed(offer.by):
            raise Fault(409, say("something is being asked already: answer that first"))
        told = await self.worked_out(table, seat)
        if told.at_once:
            await self.take_back(table, told, False)
        else:
            offer = Offer("takeback", seat, seat, told.ply)
            await self.office.house.alter(table, around.offering(table.id, offer))
        return self.done(request, table)

    async def take_back(self, table: Table, told: Takeback, anew: bool) -> None:
        try:
            await self.office.house.take_back(table, told, anew)
        except Stale:
            raise
        except Unavailable as error:
            raise Fault(409, error.text(current())) from error
        except RidottoError as error:
            raise Fault(409, str(error)) from error

    def standing(self, table: Table) -> Offer:
        """The offer that is to be answered."""
        offer = table.moment.around.offer
        if offer is None or (offer.kind == "takeback" and offer.ply != table.moment.ply):
            raise Fault(409, say("nothing is being asked any more: the match has gone on"))
        return offer

    async def agree(self, request: Request) -> Response:
        """Whoever asks has read what was learned and goes on, or somebody else agrees; the last one makes it so."""
        visitor, table, form = await self.asked(request)
        seat, offer = self.office.own_seat(table, visitor), self.standing(table)
        anew = str(form.get("anew", "")) not in ("", "0")
        others = needed(table.facts, offer)
        if seat != offer.by and (seat not in others or not offer.has_agreed(offer.by)):
            raise Fault(403, say("nobody has asked you"))
        if anew and offer.kind == "takeback":
            told = await self.worked_out(table, offer.seat)
            if told.anew is None:
                raise Fault(
                    409, told.never(table.moment.game.words_now()) or say("nothing was learned that could be dealt anew")
                )
        notes = [self.note(table, "asks", seat)] if seat == offer.by and others and not offer.has_agreed(seat) else []
        seats = shared(table.facts) if seat in shared(table.facts) else (seat,)
        agreeing = around.agreeing(table.id, offer, sum(1 << one for one in seats), anew)
        if not await self.office.house.alter(table, notes, only_if=agreeing):
            raise Fault(409, say("nothing is being asked any more: the match has gone on"))
        now = table.moment.around.offer
        if now is not None and all(now.has_agreed(one) for one in (now.by, *needed(table.facts, now))):
            await self.fulfil(table, now)
        return self.done(request, table)

    async def fulfil(self, table: Table, offer: Offer) -> None:
        """Everybody has agreed."""
        if offer.kind == "takeback":
            await self.take_back(table, await self.worked_out(table, offer.seat), offer.anew)
        elif all(one in table.moment.gone for one in holders_of(table.facts, offer.seat)):
            await self.replace(table, offer.seat, "given")
        else:
            await self.office.house.alter(table, around.offering(table.id, None))

    async def refuse(self, request: Request) -> Response:
        """Somebody does not agree, or whoever asked leaves it."""
        visitor, table, _ = await self.asked(request)
        seat, offer = self.office.own_seat(table, visitor), self.standing(table)
        if seat != offer.by and seat not in needed(table.facts, offer):
            raise Fault(403, say("nobody has asked you"))
        notes = [self.note(table, "drops" if seat == offer.by else "refuses", seat)] if offer.has_agreed(offer.by) else []
        await self.office.house.alter(table, [*around.offering(table.id, None), *notes])
        return self.done(request, table)

    # A bot for somebody.

    async def stand_in(self, request: Request) -> Response:
        """A bot is to play: for oneself at once; for somebody who has been away for long, by the host or by all others."""
        visitor, table, form = await self.asked(request)
        if table.facts.state != "playing":
            raise Fault(409, say("nobody plays at this table now"))
        given = str(form.get("seat", ""))
        mine = table.moment.seat_of(visitor.id)
        if given == "" or given == str(mine):
            await self.replace(table, self.office.own_seat(table, visitor), "absent")
            return self.done(request, table)
        found = [place for place in table.facts.places if str(place.seat) == given and place.kind == "person"]
        if not found or found[0].bot is not None:
            raise Fault(409, say("nobody has to be replaced there"))
        seat = found[0].seat
        if not all(one in table.moment.gone for one in holders_of(table.facts, seat)):
            raise Fault(409, say("a bot may play for somebody who has been away for a minute, not sooner"))
        if visitor.id == table.facts.host:
            await self.replace(table, seat, "given")
            return self.done(request, table)
        mine = self.office.own_seat(table, visitor)
        offer = Offer("standin", seat, mine, table.moment.ply, agreed=1 << mine)
        if needed(table.facts, offer):
            if table.moment.around.offer is not None:
                raise Fault(409, say("something is being asked already: answer that first"))
            await self.office.house.alter(table, around.offering(table.id, offer))
        else:
            await self.replace(table, seat, "given")
        return self.done(request, table)

    async def replace(self, table: Table, seat: Seat, note: str) -> None:
        changes = [*around.offering(table.id, None), self.note(table, note, seat)]
        await self.office.house.alter(table, changes, only_if=around.replacing(table.id, seat, STAND_IN))

    async def come_back(self, request: Request) -> Response:
        """Somebody plays again for whom a bot did."""
        visitor, table, _ = await self.asked(request)
        seat = self.office.own_seat(table, visitor)
        clock, terms = table.moment.around.clocks.get(seat), Terms.of(table.facts.settings)
        if terms is not None and terms.kind == "match" and clock is not None and clock.at(self.office.store.milliseconds) <= 0:
            raise Fault(409, say("your time is up: the bot plays to the end"))
        changes = [self.note(table, "back", seat)]
        await self.office.house.alter(table, changes, only_if=around.replacing(table.id, seat, None))
        return self.done(request, table)

    # One device for several.

    async def hand(self, request: Request) -> Response:
        """The device has been handed to the next player, who says so."""
        visitor, table, form = await self.asked(request)
        seat = table.moment.handover(visitor.id)
        if seat is None or str(form.get("seat", "")) != str(seat):
            raise Fault(409, say("the device is not to be handed on now: look again"))
        changed = sa.update(store.tables).where(store.tables.c.id == table.id)
        now = {**table.facts.settings, "held": seat}
        if held(table.facts) != seat:
            await self.office.house.alter(table, [changed.values(settings=now)])
        return self.done(request, table)

    # Talk.

    async def talk(self, request: Request) -> Response:
        """Somebody says something."""
        visitor, table, form = await self.asked(request)
        is_one_of_us = table.facts.keys.get(visitor.id) is not None or visitor.id == table.facts.host
        if not is_one_of_us and table.facts.settings.get("hushed"):
            raise Fault(403, say("at this table only those who play talk"))
        text = chat.clean(str(form.get("text", "")))
        if not text:
            raise Fault(400, say("there was nothing to say"))
        if wait := self.talking.take(visitor.id):
            self.office.figures.refused.labels("talk").inc()
            raise Fault(429, say("too many words: wait a moment"), wait=wait)
        person = await self.office.known(visitor)
        at = self.office.store.now
        said = around.saying(table.id, at, "said", person=person.id, text=text)
        if not await self.office.house.alter(table, [said, around.shortening(table.id)]):
            raise Fault(409, say("too much happens at this table at once: try again"))
        return self.done(request, table)

    def line(self, table: Table, form: Mapping[str, Any]) -> around.Line:
        """The line that something is done about."""
        found = [one for one in table.moment.around.lines if str(one.number) == str(form.get("line")) and one.kind == "said"]
        if not found:
            raise Fault(404, say("nobody said that"))
        return found[0]

    async def remove(self, request: Request) -> Response:
        """The host takes words away that should not stand there."""
        visitor, table, form = await self.asked(request)
        if visitor.id != table.facts.host:
            raise Fault(403, say("only the host of a table removes what was said"))
        await self.office.house.alter(table, [], only_if=around.removing(table.id, self.line(table, form).number))
        return self.done(request, table)

    async def report(self, request: Request) -> Response:
        """Somebody finds that words should not stand there: the host is shown so, and it is in the log."""
        visitor, table, form = await self.asked(request)
        line = self.line(table, form)
        if wait := self.talking.take(visitor.id):
            raise Fault(429, say("too many words: wait a moment"), wait=wait)
        if await self.office.house.alter(table, [], only_if=around.reporting(table.id, line.number)):
            log.warning("words were reported", extra={"facts": {"table": table.id, "line": line.number}})
        return self.done(request, table)

    async def mute(self, request: Request) -> Response:
        """Hear somebody no more, or again."""
        visitor, table, form = await self.asked(request)
        line, is_off = self.line(table, form), str(form.get("off", "")) not in ("", "0")
        if line.person is None or line.person == visitor.id:
            raise Fault(409, say("you cannot mute yourself"))
        person = await self.office.known(visitor)
        await around.mute(self.office.store, person.id, line.person, not is_off)
        # Nobody else sees a difference: the reader's own pages are drawn again.
        for reader in table.readers:
            if reader.person == visitor.id:
                reader.tell(table.moment)
        return self.done(request, table)

    # Notices.

    async def notices(self, request: Request) -> Response:
        """Somebody wants to be told of their turn elsewhere, or no more."""
        visitor, table, form = await self.asked(request)
        self.office.own_seat(table, visitor)
        if not self.office.settings.webhooks:
            raise Fault(403, say("this server sends no notices"))
        url = str(form.get("url", "")).strip()
        new = None
        if url:
            inside = self.office.settings.webhooks_inside
            try:
                await asyncio.to_thread(notices.numbers, notices.check(url), inside)
            except notices.BadAddress as error:
                raise Fault(400, str(error)) from error
            new = Hook(table.id, visitor.id, url, f"{self.office.links(request).base}/t/{table.id}")
        await around.hang(self.office.store, new, table.id, visitor.id)
        return self.done(request, table)
