"""The presentation for readers: words in three languages, pictures, lessons, and parts of pages and terminals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ridotto.core import errors

if TYPE_CHECKING:
    from ridotto.core.errors import Refusal
    from ridotto.core.game import Game


def explain(game: Game, refusal: Refusal) -> str:
    """The reason why an action is refused, as the end of an English sentence."""
    from ridotto.present.ui import english

    return english(game).refusal(refusal)


errors.explain = explain
