"""The first lesson of a game, step by step.

A lesson keeps nothing: its address names the game and the step, and the position is prepared anew for every request.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.responses import JSONResponse, RedirectResponse, Response

from ridotto.core import turns
from ridotto.core.game import Game
from ridotto.present.kit import foresight
from ridotto.present.lesson import Lesson, lesson
from ridotto.present.narrator import mark
from ridotto.present.ui import ui
from ridotto.present.words import Words
from ridotto.web.errors import ActionRefused, NotFound, RequestError
from ridotto.web.live.drawing import in_thread
from ridotto.web.pages import aids, why_not
from ridotto.web.pages import lesson as lesson_pages
from ridotto.web.pages import site as pages
from ridotto.web.server.requests import LONGEST_ACTION, Context, Endpoint


class LessonRoutes:
    def __init__(self, games: Mapping[str, Game]) -> None:
        self.games = games

    def endpoints(self) -> list[Endpoint]:
        step = "/learn/{game}/{step:int}"
        return [
            Endpoint("/learn/{game}", self.begin),
            Endpoint(step, self.show),
            Endpoint(f"{step}/act", self.act, "POST"),
            Endpoint(f"{step}/why", self.why),
            Endpoint(f"{step}/cannot", self.cannot),
            Endpoint(f"{step}/preview", self.preview),
            Endpoint(f"{step}/compose", self.compose, "POST"),
        ]

    def _step(self, context: Context) -> tuple[Lesson, int]:
        """The lesson and the number of the step in the address."""
        name, number = context.path["game"], context.path.get("step", 1)
        game = self.games.get(name)
        if game is None:
            raise context.not_found()
        course = lesson(game)
        if course is None:
            raise NotFound(mark("There is no lesson for {title} yet."), title=game.title)
        if not 1 <= number <= len(course):
            raise context.not_found()
        return course, number

    def _words(self, context: Context, course: Lesson, number: int) -> Words:
        """The words of the game for the learner."""
        return ui(course.game).words(ui(course.game).narrator(context.reader.language, reader=course.seat(number)))

    async def begin(self, context: Context) -> Response:
        course, _ = self._step(context)
        return RedirectResponse(lesson_pages.address(course, 1), 303)

    async def show(self, context: Context) -> Response:
        course, number = self._step(context)

        def draw() -> str:
            model = lesson_pages.setting(context.reader, course, number, course.before(number), "asked")
            return lesson_pages.page(model, course, number)

        return await context.page(draw)

    async def act(self, context: Context) -> Response:
        """Do something: what was wanted leads on, anything else gets a nudge."""
        data = await context.form()
        course, number = self._step(context)
        do = data.get("do")
        if not isinstance(do, str) or len(do) > LONGEST_ACTION:
            raise RequestError("an action needs do, a text")

        def play() -> dict[str, Any]:
            match, seat, words = course.before(number), course.seat(number), self._words(context, course, number)
            is_early = any(one.text == do for one in match.view(seat).early)  # allowed, but a lesson has its order
            refusal = None if is_early else why_not.why(match, seat, do)
            if refusal is not None:
                raise ActionRefused(refusal, words)
            state: lesson_pages.State = "done" if not is_early and course.accepts(number, do) else "wrong"
            match = course.after(number, do) if state == "done" else match
            model = lesson_pages.setting(context.reader, course, number, match, state)
            return lesson_pages.change(model, course, number, state)

        return JSONResponse(await in_thread(play))

    async def why(self, context: Context) -> Response:
        context.check_rate()
        course, number = self._step(context)
        do, words = context.query.get("do", "")[:LONGEST_ACTION], self._words(context, course, number)
        return JSONResponse(await in_thread(why_not.answer, course.before(number), course.seat(number), do, words))

    async def cannot(self, context: Context) -> Response:
        context.check_rate()
        course, number = self._step(context)
        narrator = self._words(context, course, number).narrator
        return JSONResponse(await in_thread(aids.cannot, course.before(number), course.seat(number), narrator))

    async def preview(self, context: Context) -> Response:
        context.check_rate()
        course, number = self._step(context)
        match, seat, words = course.before(number), course.seat(number), self._words(context, course, number)
        do = context.query.get("do", "")[:LONGEST_ACTION]
        if match.game.inputs.is_series(do) or turns.SEPARATOR in do:
            return JSONResponse({"lines": []})
        action = match.game.action(do)

        def draw() -> dict[str, Any]:
            model = lesson_pages.setting(context.reader, course, number, match, "asked")
            notation = match.rules.ACTIONS.notation(action)
            return {"lines": foresight.lines(match.view(seat), action, words), **pages.preview(model, notation)}

        return JSONResponse(await in_thread(draw))

    async def compose(self, context: Context) -> Response:
        data = await context.form()
        course, number = self._step(context)
        view = await in_thread(course.before(number).view, course.seat(number))
        text, words = str(data.get("text", ""))[:LONGEST_ACTION], self._words(context, course, number)
        composed = await in_thread(ui(view.game).page.compose, view, words, text)
        if composed is None:
            raise context.not_found()
        return JSONResponse(composed)
