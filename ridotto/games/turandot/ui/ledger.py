"""The ledger of Turandot: whom everybody won in each audition, for how much, and which stage elements they hired."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ridotto.core.view import Seen, View
from ridotto.games.turandot.ui.words import Words
from ridotto.present import ledger
from ridotto.present.ledger import Chapter, Line, Mark, by_round, listed

WON = frozenset(("recruits", "overbids"))


class Ledger(ledger.Ledger[Words]):
    """Audition by audition."""

    def chapters(self, view: View, words: Words) -> list[Chapter]:
        """The rounds: cards won, understudies, stage elements."""
        return [Chapter(title, _lines(view, words, events)) for title, events in by_round(view, words)]


def _lines(view: View, words: Words, seen: Sequence[Seen]) -> list[Line]:
    def cells(names: frozenset[str], text: Callable[[Seen], str]) -> list[Mark]:
        told = [one for one in seen if one.event.name in names]
        return [listed([Mark(text(one), one.ply) for one in told if one.values["seat"] == seat]) for seat in range(view.seats)]

    return [
        Line(words.say("won"), cells(WON, lambda one: words.card(one.values["card"]))),
        Line(words.say("money paid"), cells(WON, lambda one: str(one.values["paid"]))),
        Line(words.say("understudy"), cells(frozenset(("gives",)), lambda one: words.card(one.values["card"]))),
        Line(words.say("stage elements"), cells(frozenset(("hires",)), lambda one: "+1")),
    ]
