"""Help at a table: why something cannot be done, everything that cannot, and what a bot would do."""

from __future__ import annotations

from functools import partial

from starlette.responses import JSONResponse, Response

from ridotto.bots import Opinion
from ridotto.core.errors import IllegalAction
from ridotto.core.match import Match
from ridotto.core.view import View
from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import Seat
from ridotto.present.narrator import mark
from ridotto.web.errors import ActionRefused, Forbidden, NotNow, RequestError
from ridotto.web.live.drafts import drafted_match
from ridotto.web.live.drawing import in_thread
from ridotto.web.live.fair_queue import Asker
from ridotto.web.live.state import TableState
from ridotto.web.live.workers import BotWorkers
from ridotto.web.pages import aids, why_not
from ridotto.web.server.requests import LONGEST_ACTION, Context, Endpoint


class HintRoutes:
    def __init__(self, workers: BotWorkers) -> None:
        self.workers = workers

    def endpoints(self) -> list[Endpoint]:
        return [
            Endpoint("/t/{id}/why", self.why),
            Endpoint("/t/{id}/cannot", self.cannot),
            Endpoint("/t/{id}/hint", self.hint),
        ]

    async def _seat(self, context: Context) -> tuple[TableState, Seat]:
        """The table that somebody asks about, and their seat."""
        context.check_rate()
        table = await context.table()
        return table.state, context.own_seat(table)

    def _check_turn(self, match: Match, seat: Seat) -> None:
        if seat not in match.to_act:
            raise NotNow(mark("it is not your turn"))

    async def why(self, context: Context) -> Response:
        """The reason why something cannot be done now, and the nearest thing that can."""
        state, seat = await self._seat(context)
        do, words = context.query.get("do", "")[:LONGEST_ACTION], context.words(state)
        match = await self._planned(context, state, seat)
        return JSONResponse(await in_thread(why_not.answer, match, seat, do, words))

    async def _planned(self, context: Context, state: TableState, seat: Seat) -> Match:
        """The match as somebody plans it, if they are putting a turn together."""
        draft, words = context.query.get("draft", "")[:LONGEST_ACTION], context.words(state)
        try:
            return await in_thread(drafted_match, state.match, seat, draft)
        except IllegalAction as error:
            assert error.refusal is not None
            raise ActionRefused(error.refusal, words) from error

    async def cannot(self, context: Context) -> Response:
        """Everything that cannot be done now, and why."""
        state, seat = await self._seat(context)
        match = await self._planned(context, state, seat)
        self._check_turn(match, seat)
        key, narrator = ("cannot", seat, context.reader.language), context.words(state).narrator
        if match is not state.match:
            return JSONResponse(await in_thread(aids.cannot, match, seat, narrator))
        return JSONResponse(await state.once(key, partial(aids.cannot, match, seat, narrator)))

    async def hint(self, context: Context) -> Response:
        """The action of a bot with the asker's view: searched by a worker, longer with every look."""
        state, seat = await self._seat(context)
        if not state.info.has_hints:
            raise Forbidden(mark("hints are off at this table"))
        match, draft = await self._planned(context, state, seat), context.query.get("draft", "")[:LONGEST_ACTION]
        self._check_turn(match, seat)
        given = context.query.get("look", "1")
        if given not in map(str, range(1, len(aids.LOOKS) + 1)):
            raise RequestError(f"there are looks 1 to {len(aids.LOOKS)}")
        look = int(given)
        view = await in_thread(match.view, seat)
        thought = await self._opinion(state, view, look, draft, context.asker)
        key, words = ("hint", seat, context.reader.language, look, draft), context.words(state)
        return JSONResponse(await state.once(key, partial(aids.hint, view, thought, look, words.narrator)))

    async def _opinion(self, state: TableState, view: View, look: int, draft: str, asker: Asker) -> Opinion:
        """A bot's opinion of a view, thought about once for all who ask with the same draft."""
        try:
            bot = aids.LOOKS[look - 1]
            thought = await state.cache.get(("opinion", view.seat, look, draft), lambda: self.workers.opinion(bot, view, asker))
        except RidottoError as error:
            message = mark("the hint bot is busy: try again")
            raise RequestError(message, status=503, wait=1) from error
        assert thought is not None, "the bots that give hints have opinions"
        return thought
