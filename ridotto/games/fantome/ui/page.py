"""Le Fantôme at the web table: either side to begin with, and how far rooms are apart."""

from __future__ import annotations

from collections.abc import Sequence

from ridotto.core.view import View
from ridotto.engine.fields import Kind, Seat
from ridotto.games.fantome.components import DISTANCE, ROOMS
from ridotto.games.fantome.rules import ACTIONS, CHARACTER, RICHARD, ROOM, F
from ridotto.games.fantome.ui.legend import legend
from ridotto.games.fantome.ui.picture.arrangement import compositions
from ridotto.games.fantome.ui.picture.house import sends_several
from ridotto.games.fantome.ui.picture.people import figure
from ridotto.games.fantome.ui.words import Words
from ridotto.present import protocols
from ridotto.present.answers import Caption, answers, pairs
from ridotto.present.composition import Compositions
from ridotto.present.html import Html, el
from ridotto.present.narrator import mark, opening
from ridotto.present.protocols import Sign
from ridotto.present.svg import Svg, tag

SIDES = (mark("Play the inspector"), mark("Play the phantom"))


class Page(protocols.Page[Words]):
    """The web table of Le Fantôme."""

    is_forced_known = True
    drawn_early = ("place", "dark")

    def play_as(self, words: Words, seat: Seat) -> str:
        """The sides differ."""
        return words.say(SIDES[seat])

    def answers(self, view: View, words: Words) -> Html | None:
        """Rooms by their names, and swaps apart from moves; who is sent away, and where to."""
        if sends_several(view):
            return _sending(view, words)
        captions = {"move": Caption(words.say("Go to:"), lambda action: words.room(ACTIONS.argument(action)))}
        if view.row[F.active] == RICHARD:
            captions["swap"] = Caption(words.say("Or swap with:"), lambda action: _swap(view, words, ACTIONS.argument(action)))
        return answers(view, words, captions=captions)

    def compositions(self, view: View) -> Compositions:
        """The house at the left, the largest; the cards and the deduction at the right."""
        return compositions(view)

    def news(self, view: View, words: Words) -> Html | None:
        """The phantom's character, for the phantom, until they have played for the first time."""
        if view.row[F.identity] < 0 or view.seat is None or any(one.event.name == "picks" for one in view.seen):
            return None
        who = view.row[F.identity]
        face = tag("svg", Svg(figure(who, mask=True)), viewBox="-24 -74 48 76", cls="drawing")
        return el("p", Html(face), el("b", words.say("You are {who}.", who=words.who(who))), cls="you-are")

    def legend(self, words: Words) -> Sequence[Sign]:
        """Figures, signs and cards."""
        return legend(words)

    def distance(self, view: View, kind: Kind, one: str, other: str) -> int | None:
        """Rooms are so many corridors apart, as the padlock lies."""
        if kind != ROOM:
            return None
        return int(DISTANCE[(view.row[F.padlock] * ROOMS + int(one)) * ROOMS + int(other)])


def _sending(view: View, words: Words) -> Html:
    """The people whom Moncharmin may send away, and the rooms to which he may."""
    people = [who for who in range(len(CHARACTER)) if view.row[F.expelled] >> who & 1]
    about = words.say("Send:"), {CHARACTER.names[who]: opening(words.who(who)) for who in people}
    rooms = [ACTIONS.argument(action) for action in view.legal]
    choice = words.say("Go to:"), {str(room): words.room(room) for room in rooms}
    return pairs(view, words, CHARACTER.names[people[0]], about, choice)


def _swap(view: View, words: Words, who: int) -> str:
    """The character with whom Richard would swap; with somebody in his own room, he stays."""
    is_here = view.row[F.place + who] == view.row[F.place + RICHARD]
    return words.say("nobody: Richard stays") if is_here else opening(words.who(who))
