"""Pages to read: the rulebooks, and what Ridotto is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from starlette.responses import Response

from ridotto.club import cards
from ridotto.core.game import Game
from ridotto.present.narrator import LANGUAGES
from ridotto.web.live.drawing import in_thread
from ridotto.web.pages import art, assets
from ridotto.web.pages import site as pages
from ridotto.web.pages.rulebook import rulebook
from ridotto.web.server.requests import Context, Endpoint
from ridotto.web.settings import Settings


class InformationRoutes:
    def __init__(self, settings: Settings, games: Mapping[str, Game]) -> None:
        self.settings, self.games = settings, games
        self._cards: dict[tuple[str, str], bytes] = {}
        """The previews that were drawn, by game and language."""

    def endpoints(self) -> list[Endpoint]:
        return [
            Endpoint("/rules/{lang}/{game}", self.rules),
            Endpoint("/about", self.about),
            Endpoint("/privacy", self.privacy),
            *([Endpoint("/card/{lang}/{game}.png", self.card)] if cards.is_installed() else []),
        ]

    async def rules(self, context: Context) -> Response:
        language, game = context.path["lang"], self.games.get(context.path["game"])
        if language not in LANGUAGES or game is None:
            raise context.not_found()
        guest = replace(context.reader, language=language)
        return await context.page(lambda: pages.rules(guest, game, rulebook(game, language)))

    async def card(self, context: Context) -> Response:
        """The preview of an invitation to a game: the same for every table."""
        language, game = context.path["lang"], self.games.get(context.path["game"])
        if language not in LANGUAGES or game is None:
            raise context.not_found()
        drawn = self._cards.get((game.name, language))
        if drawn is None:
            drawn = self._cards[game.name, language] = await in_thread(_card, game, language)
        headers = {"cache-control": "public, max-age=86400", "cross-origin-resource-policy": "cross-origin"}
        return Response(drawn, 200, headers, "image/png")

    async def privacy(self, context: Context) -> Response:
        """The data stored of people, and for how long."""
        kept = pages.Kept(
            *(int(days) for days in (self.settings.keep_over, self.settings.keep_open, self.settings.keep_people))
        )
        return await context.page(partial(pages.privacy, context.reader, kept, self.settings.log_addresses))

    async def about(self, context: Context) -> Response:
        return await context.page(partial(pages.about, context.reader))


def _card(game: Game, language: str) -> bytes:
    return cards.png(art.invitation_card(game, language), assets.font_files())
