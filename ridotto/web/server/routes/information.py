"""Pages to read: the rulebooks, and what Ridotto is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from starlette.responses import Response

from ridotto.core.game import Game
from ridotto.present.narrator import LANGUAGES
from ridotto.web.pages import site as pages
from ridotto.web.pages.rulebook import rulebook
from ridotto.web.server.requests import Context, Endpoint
from ridotto.web.settings import Settings


class InformationRoutes:
    def __init__(self, settings: Settings, games: Mapping[str, Game]) -> None:
        self.settings, self.games = settings, games

    def endpoints(self) -> list[Endpoint]:
        return [
            Endpoint("/rules/{lang}/{game}", self.rules),
            Endpoint("/about", self.about),
            Endpoint("/privacy", self.privacy),
        ]

    async def rules(self, context: Context) -> Response:
        language, game = context.path["lang"], self.games.get(context.path["game"])
        if language not in LANGUAGES or game is None:
            raise context.not_found()
        guest = replace(context.reader, language=language)
        return await context.page(lambda: pages.rules(guest, game, rulebook(game, language)))

    async def privacy(self, context: Context) -> Response:
        """The data stored of people, and for how long."""
        kept = pages.Kept(
            *(int(days) for days in (self.settings.keep_over, self.settings.keep_open, self.settings.keep_people))
        )
        return await context.page(partial(pages.privacy, context.reader, kept, self.settings.log_addresses))

    async def about(self, context: Context) -> Response:
        return await context.page(partial(pages.about, context.reader))
