"""Help at a table: why something cannot be done, everything that cannot, and what a bot would do."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

from starlette.responses import JSONResponse, Response

from ridotto.bots import Opinion, opinion
from ridotto.core.narrator import mark
from ridotto.core.protocols import Words
from ridotto.core.view import View
from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import Seat
from ridotto.web.errors import Forbidden, NotNow, RequestError
from ridotto.web.live.previews import preview
from ridotto.web.live.state import TableState
from ridotto.web.live.workers import WorkerPool
from ridotto.web.pages import aids, why_not
from ridotto.web.server.requests import LONGEST_ACTION, Context, Endpoint


class HintRoutes:
    def __init__(self, workers: WorkerPool) -> None:
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

    def _check_turn(self, state: TableState, seat: Seat) -> None:
        if seat not in state.match.to_act:
            raise NotNow(mark("it is not your turn"))

    async def why(self, context: Context) -> Response:
        """Why something cannot be done now, and the nearest that can."""
        state, seat = await self._seat(context)
        do = context.query.get("do", "")[:LONGEST_ACTION]
        return JSONResponse(await asyncio.to_thread(why_not.answer, state.match, seat, do, context.words(state)))

    async def cannot(self, context: Context) -> Response:
        """Everything that cannot be done now, and why."""
        state, seat = await self._seat(context)
        self._check_turn(state, seat)
        key, narrator = ("cannot", seat, context.reader.language), context.words(state).narrator
        return JSONResponse(await state.once(key, partial(aids.cannot, state.match, seat, narrator)))

    async def hint(self, context: Context) -> Response:
        """What a bot would do that sees what the asker sees: thought about by a worker, longer with every look."""
        state, seat = await self._seat(context)
        if not state.info.has_hints:
            raise Forbidden(mark("there are no hints at this table"))
        self._check_turn(state, seat)
        given = context.query.get("look", "1")
        if given not in map(str, range(1, len(aids.LOOKS) + 1)):
            raise RequestError(f"there are looks 1 to {len(aids.LOOKS)}")
        look = int(given)
        view = await asyncio.to_thread(state.match.view, seat)
        thought = await self._opinion(state, seat, view, look)
        key, words = ("hint", seat, context.reader.language, look), context.words(state)
        return JSONResponse(await state.once(key, partial(self._describe, state, view, thought, look, words)))

    async def _opinion(self, state: TableState, seat: Seat, view: View, look: int) -> Opinion:
        """A bot's opinion of a view, thought about once for all who ask."""
        try:
            thought = await state.cache.get(("opinion", seat, look), lambda: self.workers.opinion(aids.LOOKS[look - 1], view))
        except RidottoError as error:
            message = mark("nobody could think about this just now: try again")
            raise RequestError(message, status=503, wait=1) from error
        assert thought is not None, "the bots that give hints have opinions"
        return thought

    def _describe(self, state: TableState, view: View, thought: Opinion, look: int, words: Words) -> dict[str, Any]:
        assert view.seat is not None
        best = opinion.choices(view, words, thought, 1)[0]
        return aids.hint(view, thought, look, preview(state.match, view.seat, best.notation, words), words.narrator)
