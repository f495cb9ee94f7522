"""Boxes: what an owner of the printed game is asked, and the file that comes out."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from starlette.responses import Response

from ridotto.core.errors import BadAnswer
from ridotto.core.game import Game
from ridotto.engine.build import LONGEST_BOX_NAME
from ridotto.present.owner import Owner, Question, box_of, owner, to_toml
from ridotto.web.pages import box as pages
from ridotto.web.server.requests import Context, Endpoint

LARGEST: Final = 256 * 1024
"""Bytes of all answers, as they are sent."""


class BoxRoutes:
    def __init__(self, games: Mapping[str, Game]) -> None:
        self.games = games

    def endpoints(self) -> list[Endpoint]:
        return [Endpoint("/box/{game}", self.ask), Endpoint("/box/{game}", self.write, "POST")]

    async def ask(self, context: Context) -> Response:
        game, questions = self._asked(context)
        box = box_of(game)
        answers = {key: question.shown(box) for key, question in _keyed(questions).items()}
        return await context.page(partial(pages.box, context.reader, game, questions, answers))

    async def write(self, context: Context) -> Response:
        """The box as a file; where it cannot be played, the page again, with everything that is wrong."""
        game, questions = self._asked(context)
        form = await context.form(LARGEST)
        box, wrong, keyed = box_of(game), [], _keyed(questions)
        answers = {key: str(form.get(key, question.shown(box))) for key, question in keyed.items()}
        answers["box_name"] = " ".join(str(form.get("box_name", "")).split())[:LONGEST_BOX_NAME]
        for key, question in keyed.items():
            try:
                question.answer(box, answers[key])
            except BadAnswer:
                wrong.append(key)
        faults = [] if wrong else questions.faults_of(box)
        if wrong or faults:
            return await context.page(partial(pages.box, context.reader, game, questions, answers, faults, wrong), 400)
        name = answers["box_name"] if answers["box_name"].isprintable() else ""
        headers = {"content-disposition": f'attachment; filename="{game.name}-box.toml"'}
        return Response(to_toml(box, name), 200, headers, "application/toml; charset=utf-8")

    def _asked(self, context: Context) -> tuple[Game, Owner]:
        """The game that is asked about, if there is something to ask."""
        game = self.games.get(context.path["game"])
        questions = owner(game) if game else None
        if game is None or questions is None:
            raise context.not_found()
        return game, questions


def _keyed(questions: Owner) -> dict[str, Question]:
    """The questions by the names of their fields."""
    return {f"{i}.{j}": one for i, section in enumerate(questions.SECTIONS) for j, one in enumerate(section.questions)}
