"""Takebacks and stand-ins: what somebody may do at once, and what the others have to agree to."""

from __future__ import annotations

from starlette.responses import Response

from ridotto.core.takeback import Takeback, plan_takeback
from ridotto.engine.fields import Seat
from ridotto.present import takeback as takebacks
from ridotto.present.narrator import mark
from ridotto.web.errors import Forbidden, NotNow
from ridotto.web.live.drawing import in_thread
from ridotto.web.live.table import Table
from ridotto.web.live.table_writer import STAND_IN, TableWriter
from ridotto.web.server.requests import Context, Endpoint
from ridotto.web.server.table_form import is_on
from ridotto.web.storage import Storage
from ridotto.web.storage.changes import Change
from ridotto.web.storage.chat import add_line
from ridotto.web.storage.offers import Offer, agree, set_offer
from ridotto.web.storage.tables import set_stand_in


class OfferRoutes:
    def __init__(self, storage: Storage, writer: TableWriter) -> None:
        self.storage, self.writer = storage, writer

    def endpoints(self) -> list[Endpoint]:
        return [
            Endpoint("/t/{id}/takeback", self.take_back, "POST"),
            Endpoint("/t/{id}/agree", self.agree, "POST"),
            Endpoint("/t/{id}/refuse", self.refuse, "POST"),
            Endpoint("/t/{id}/standin", self.stand_in, "POST"),
            Endpoint("/t/{id}/return", self.come_back, "POST"),
        ]

    def _note(self, table: Table, kind: str, seat: Seat) -> Change:
        """A note in the chat on what somebody did."""
        return add_line(table.id, self.storage.now, kind, seat=seat)

    # Takebacks.

    async def take_back(self, context: Context) -> Response:
        """Somebody wants back what they have last confirmed: done at once if that harms nobody, else they are shown what was
        learned before the others are asked."""
        await context.form()
        table = await context.table()
        seat = context.own_seat(table)
        if table.info.takebacks == "never":
            raise Forbidden(mark("nothing is taken back at this table"))
        offer = table.state.extras.offer
        if offer is not None and offer.ply == table.state.ply and offer.has_agreed(offer.proposer):
            raise NotNow(mark("another request is open: answer it first"))
        takeback = await self._takeback(table, seat)
        if takeback.at_once and table.info.takebacks == "free" and not _has_begun(table, takeback):
            await self.writer.take_back(table, takeback, False)
        else:
            await self.writer.change(table, set_offer(table.id, Offer("takeback", seat, seat, takeback.ply)))
        return context.done(table)

    async def _takeback(self, table: Table, seat: Seat) -> Takeback:
        """Whether a seat may take its last decision back."""
        return await in_thread(plan_takeback, table.state.match, seat)

    # Consent.

    def _offer(self, table: Table) -> Offer:
        """The offer that is to be answered."""
        offer = table.state.extras.offer
        if offer is None or (offer.kind == "takeback" and offer.ply != table.state.ply):
            raise NotNow(mark("too late: the match has gone on"))
        return offer

    async def agree(self, context: Context) -> Response:
        """Confirm one's own offer, or agree to another one; the last to agree fulfils it."""
        form = await context.form()
        table = await context.table()
        info, seat, offer = table.info, context.own_seat(table), self._offer(table)
        anew = is_on(form, "anew")
        others = info.asked_for_consent(offer)
        if seat != offer.proposer and (seat not in others or not offer.has_agreed(offer.proposer)):
            raise Forbidden(mark("you were not asked"))
        if anew and offer.kind == "takeback":
            takeback = await self._takeback(table, offer.seat)
            if takeback.anew is None:
                if never := takebacks.why_not_anew(takeback, context.words(table.state)):
                    raise NotNow("{reason}", reason=never)
                raise NotNow(mark("nothing was revealed that could be dealt again"))
        notes = [self._note(table, "asks", seat)] if seat == offer.proposer and others and not offer.has_agreed(seat) else []
        seats = info.settings.shared_seats if seat in info.settings.shared_seats else (seat,)
        agreed = agree(table.id, offer, sum(1 << one for one in seats), anew)
        if not await self.writer.change(table, notes, only_if=agreed):
            raise NotNow(mark("too late: the match has gone on"))
        now = table.state.extras.offer
        if now is not None and all(now.has_agreed(one) for one in (now.proposer, *table.info.asked_for_consent(now))):
            await self._fulfil(table, now)
        return context.done(table)

    async def _fulfil(self, table: Table, offer: Offer) -> None:
        """Do what everybody has agreed to."""
        if offer.kind == "takeback":
            await self.writer.take_back(table, await self._takeback(table, offer.seat), offer.redeal)
        elif table.state.is_gone(offer.seat):
            await self._replace(table, offer.seat, "given")
        else:
            await self.writer.change(table, set_offer(table.id, None))

    async def refuse(self, context: Context) -> Response:
        """Somebody does not agree, or whoever asked leaves it."""
        await context.form()
        table = await context.table()
        seat, offer = context.own_seat(table), self._offer(table)
        if seat != offer.proposer and seat not in table.info.asked_for_consent(offer):
            raise Forbidden(mark("you were not asked"))
        notes = (
            [self._note(table, "drops" if seat == offer.proposer else "refuses", seat)]
            if offer.has_agreed(offer.proposer)
            else []
        )
        await self.writer.change(table, [*set_offer(table.id, None), *notes])
        return context.done(table)

    # Stand-ins.

    async def stand_in(self, context: Context) -> Response:
        """A bot is to play: for oneself at once; for somebody who has been away for long, by the host or by all others."""
        form = await context.form()
        table = await context.table()
        if table.info.state != "playing":
            raise NotNow(mark("the match is not being played now"))
        given = str(form.get("seat", ""))
        own = table.state.seat_of(context.person)
        if given == "" or given == str(own):
            await self._replace(table, context.own_seat(table), "absent")
            return context.done(table)
        chairs = [chair for chair in table.info.chairs if str(chair.seat) == given and chair.kind == "person"]
        if not chairs or chairs[0].bot is not None:
            raise NotNow(mark("nobody needs a bot there"))
        seat = chairs[0].seat
        if not table.state.is_gone(seat):
            raise NotNow(mark("a bot may only play for somebody who has been away for a minute"))
        if context.person == table.info.host:
            await self._replace(table, seat, "given")
            return context.done(table)
        own = context.own_seat(table)
        offer = Offer("standin", seat, own, table.state.ply, agreed=1 << own)
        if table.info.asked_for_consent(offer):
            if table.state.extras.offer is not None:
                raise NotNow(mark("another request is open: answer it first"))
            await self.writer.change(table, set_offer(table.id, offer))
        else:
            await self._replace(table, seat, "given")
        return context.done(table)

    async def _replace(self, table: Table, seat: Seat, note: str) -> None:
        """Let a bot play for somebody."""
        changes = [*set_offer(table.id, None), self._note(table, note, seat)]
        await self.writer.change(table, changes, only_if=set_stand_in(table.id, seat, STAND_IN))

    async def come_back(self, context: Context) -> Response:
        """Somebody plays again for whom a bot did."""
        await context.form()
        table = await context.table()
        seat = context.own_seat(table)
        clock, terms = table.state.extras.clocks.get(seat), table.info.settings.clock
        is_down = terms is not None and terms.kind == "match" and clock is not None and clock.at(self.storage.milliseconds) <= 0
        if is_down or seat in table.state.late:
            raise NotNow(mark("your time is up: the bot plays to the end"))
        if seat in table.info.settings.left:
            raise NotNow(mark("you have resigned: the bot plays to the end"))
        await self.writer.change(table, [self._note(table, "back", seat)], only_if=set_stand_in(table.id, seat, None))
        return context.done(table)


def _has_begun(table: Table, takeback: Takeback) -> bool:
    """Whether somebody else is putting a turn together that the takeback would make void: they are not asked for it then."""
    match = table.state.match
    begun = {seat for seat, ply in table.begun.items() if ply == match.ply and seat in match.to_act}
    return not begun <= {takeback.seat, *match.after(takeback.to + 1).to_act}
