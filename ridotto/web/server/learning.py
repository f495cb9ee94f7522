"""Learning: why not, hints, and the first lessons, as answers to requests.

A lesson keeps nothing: its address names the game and the step, and the position is prepared anew for every request.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from ridotto.bots import Opinion, opinion
from ridotto.core.lesson import Lesson, lesson
from ridotto.core.narrator import current, language, say, seated
from ridotto.core.view import View
from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import Seat
from ridotto.web.errors import Fault
from ridotto.web.live import tables
from ridotto.web.live.tables import Moment
from ridotto.web.pages import aids
from ridotto.web.pages import lesson as learning_pages
from ridotto.web.pages import site as pages
from ridotto.web.pages import why_not as whynot

if TYPE_CHECKING:
    from ridotto.web.server.app import Answer, Office, Visitor

LONGEST_ACTION: Final = 1000


def routes(office: Office) -> list[tuple[str, Answer, str]]:
    """The addresses of this module, what answers there, and the method."""
    learning = Learning(office)
    step = "/learn/{game}/{step:int}"
    return [
        ("/t/{id}/why", learning.why, "GET"),
        ("/t/{id}/cannot", learning.cannot, "GET"),
        ("/t/{id}/hint", learning.hint, "GET"),
        ("/learn/{game}", learning.begin, "GET"),
        (step, learning.step, "GET"),
        (f"{step}/act", learning.act, "POST"),
        (f"{step}/why", learning.step_why, "GET"),
        (f"{step}/cannot", learning.step_cannot, "GET"),
        (f"{step}/preview", learning.step_preview, "GET"),
        (f"{step}/compose", learning.step_compose, "POST"),
    ]


class Learning:
    """The functions behind the routes."""

    def __init__(self, office: Office) -> None:
        self.office = office

    # At a table.

    async def why(self, request: Request) -> Response:
        """Why something cannot be done now, and the nearest that can."""
        _, moment, seat, do = await self.office.ask(request)
        with seated(moment.names):
            return JSONResponse(await asyncio.to_thread(whynot.answer, moment.match, seat, do))

    async def cannot(self, request: Request) -> Response:
        """Everything that cannot be done now, and why."""
        visitor, moment, seat, _ = await self.office.ask(request)
        self.check_asked(moment, seat)
        with seated(moment.names):
            key = ("cannot", seat, visitor.reader.language)
            return JSONResponse(await moment.once(key, partial(aids.cannot, moment.match, seat, current())))

    async def hint(self, request: Request) -> Response:
        """What a bot would do that sees what the asker sees: thought about by a worker, longer with every look."""
        visitor, moment, seat, _ = await self.office.ask(request)
        if not tables.has_hints(moment.facts):
            raise Fault(403, say("there are no hints at this table"))
        self.check_asked(moment, seat)
        given = request.query_params.get("look", "1")
        if given not in map(str, range(1, len(aids.LOOKS) + 1)):
            raise Fault(400, f"there are looks 1 to {len(aids.LOOKS)}")
        look = int(given)
        view = await asyncio.to_thread(moment.match.view, seat)
        thought = await self.thought(moment, seat, view, look)
        with seated(moment.names):
            key = ("hint", seat, visitor.reader.language, look)
            return JSONResponse(await moment.once(key, partial(self.told, moment, seat, view, thought, look)))

    def check_asked(self, moment: Moment, seat: Seat) -> None:
        if seat not in moment.match.to_act:
            raise Fault(409, say("it is not your turn"))

    async def thought(self, moment: Moment, seat: Seat, view: View, look: int) -> Opinion:
        """A bot's opinion of a view, thought about once for all who ask."""
        key = ("thought", seat, look)
        if key not in moment.drawn:
            thinking = self.office.house.thinkers.opinion(aids.LOOKS[look - 1], view)
            moment.drawn[key] = asyncio.ensure_future(thinking)
        try:
            found: Opinion = await asyncio.shield(moment.drawn[key])
        except RidottoError as error:
            moment.drawn.pop(key, None)
            raise Fault(503, say("nobody could think about this just now: try again"), wait=1) from error
        return found

    def told(self, moment: Moment, seat: Seat, view: View, thought: Opinion, look: int) -> dict[str, Any]:
        best = opinion.choices(view, view.game.english, thought, 1)[0]
        return aids.hint(view, thought, look, tables.preview(moment.match, seat, best.notation), current())

    # Lessons.

    def find(self, request: Request) -> tuple[Lesson, int]:
        """The lesson and the step of an address."""
        name, number = request.path_params["game"], request.path_params.get("step", 1)
        game = self.office.house.games.get(name)
        if game is None:
            raise self.office.nothing(request)
        found = lesson(game)
        if found is None:
            raise Fault(404, say("There is no lesson for {title} yet.", title=game.title))
        if not 1 <= number <= len(found):
            raise self.office.nothing(request)
        return found, number

    async def asking(self, request: Request) -> tuple[Visitor, Lesson, int]:
        """Somebody asks about a step."""
        visitor = await self.office.visitor(request)
        if wait := self.office.by_person.take(visitor.id):
            raise Fault(429, say("too many requests: wait a moment"), wait=wait)
        return visitor, *self.find(request)

    async def begin(self, request: Request) -> Response:
        found, _ = self.find(request)
        return RedirectResponse(learning_pages.address(found, 1), 303)

    async def step(self, request: Request) -> Response:
        """The page of a step."""
        visitor = await self.office.visitor(request)
        found, number = self.find(request)

        def draw() -> str:
            with language(visitor.reader.language):
                shown = learning_pages.setting(visitor.reader, found, number, found.before(number), "asked")
                return learning_pages.page(shown, found, number)

        return await self.office.page(request, visitor, draw)

    async def act(self, request: Request) -> Response:
        """Do something in a lesson: what was wanted leads on, anything else gets a nudge."""
        visitor, data = await self.office.sent(request)
        found, number = self.find(request)
        do = data.get("do")
        if not isinstance(do, str) or len(do) > LONGEST_ACTION:
            raise Fault(400, "an action needs do, a text")

        def play() -> dict[str, Any]:
            refusal = whynot.why(found.before(number), found.seat(number), do)
            if refusal is not None:
                raise Fault(409, refusal.text(found.game.words_now()), refusal.section)
            state: learning_pages.State = "done" if found.wants(number, do) else "wrong"
            match = found.after(number, do) if state == "done" else found.before(number)
            shown = learning_pages.setting(visitor.reader, found, number, match, state)
            return learning_pages.change(shown, found, number, state)

        return JSONResponse(await asyncio.to_thread(play))

    async def step_why(self, request: Request) -> Response:
        _, found, number = await self.asking(request)
        do = request.query_params.get("do", "")[:LONGEST_ACTION]
        return JSONResponse(await asyncio.to_thread(whynot.answer, found.before(number), found.seat(number), do))

    async def step_cannot(self, request: Request) -> Response:
        _, found, number = await self.asking(request)
        return JSONResponse(await asyncio.to_thread(aids.cannot, found.before(number), found.seat(number), current()))

    async def step_preview(self, request: Request) -> Response:
        visitor, found, number = await self.asking(request)
        match, seat = found.before(number), found.seat(number)
        do = request.query_params.get("do", "")[:LONGEST_ACTION]
        if match.game.words_now().series_of(do):
            return JSONResponse({"lines": []})
        notation = match.rules.ACTIONS.notation(match.game.action(do))

        def draw() -> dict[str, Any]:
            shown = learning_pages.setting(visitor.reader, found, number, match, "asked")
            return {"lines": tables.preview(match, seat, notation), "panels": pages.preview(shown, notation)}

        return JSONResponse(await asyncio.to_thread(draw))

    async def step_compose(self, request: Request) -> Response:
        _, data = await self.office.sent(request)
        found, number = self.find(request)
        view = await asyncio.to_thread(found.before(number).view, found.seat(number))
        text = str(data.get("text", ""))[:LONGEST_ACTION]
        told = await asyncio.to_thread(view.game.page.compose, view, view.game.words_now(), text)
        if told is None:
            raise self.office.nothing(request)
        return JSONResponse(told)
