"""Le Fantôme at the web table: either side to begin with, and how far rooms are apart."""

from __future__ import annotations

from ridotto.core import protocols
from ridotto.core.narrator import mark
from ridotto.core.view import View
from ridotto.engine.fields import Kind, Seat
from ridotto.games.fantome.components import DISTANCE, ROOMS
from ridotto.games.fantome.rules import ROOM, F
from ridotto.games.fantome.words import Words

SIDES = (mark("Play the inspector"), mark("Play the phantom"))


class Page(protocols.Page[Words]):
    """What Le Fantôme has of its own."""

    def play_as(self, words: Words, seat: Seat) -> str:
        """The sides differ."""
        return words.say(SIDES[seat])

    def distance(self, view: View, kind: Kind, one: str, other: str) -> int | None:
        """Rooms are so many corridors apart, as the padlock lies."""
        if kind != ROOM:
            return None
        return int(DISTANCE[(view.row[F.padlock] * ROOMS + int(one)) * ROOMS + int(other)])
