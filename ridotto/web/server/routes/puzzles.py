"""Puzzles: a moment of a match, to be decided with the eyes of one seat. They keep nothing: the address says everything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial

from starlette.responses import RedirectResponse, Response

from ridotto.bots import puzzles
from ridotto.bots.puzzles import Puzzle
from ridotto.core.game import Game
from ridotto.present.narrator import mark
from ridotto.web.errors import NotFound
from ridotto.web.pages import puzzles as puzzle_pages
from ridotto.web.server.requests import LONGEST_ACTION, Context, Endpoint


class PuzzleRoutes:
    def __init__(self, games: Mapping[str, Game]) -> None:
        self.games = games

    def endpoints(self) -> list[Endpoint]:
        return [Endpoint("/puzzles/{game}", self.today), Endpoint("/puzzles/{game}/{number:int}", self.show)]

    def _puzzles(self, context: Context) -> tuple[Game, Sequence[Puzzle]]:
        """The game in the address, and its puzzles."""
        game = self.games.get(context.path["game"])
        if game is None:
            raise context.not_found()
        collection = puzzles.load(game)
        if not collection:
            raise NotFound(mark("There are no puzzles for {title} yet."), title=game.title)
        return game, collection

    async def today(self, context: Context) -> Response:
        """The puzzle of the day."""
        game, collection = self._puzzles(context)
        number = puzzles.of_the_day(collection, datetime.now(UTC).date())
        return RedirectResponse(f"/puzzles/{game.name}/{number + 1}", 303)

    async def show(self, context: Context) -> Response:
        """A puzzle, and what there is to say about an answer."""
        game, collection = self._puzzles(context)
        number = int(context.path["number"])
        if not 1 <= number <= len(collection):
            raise context.not_found()
        puzzle, answer = collection[number - 1], context.query.get("answer", "")[:LONGEST_ACTION]
        if answer and answer not in puzzle.values:
            raise context.not_found()
        today = puzzles.of_the_day(collection, datetime.now(UTC).date()) + 1
        model = puzzle_pages.PuzzlePage(game, puzzle, number, len(collection), today, answer)
        return await context.page(partial(puzzle_pages.page, context.reader, model))
