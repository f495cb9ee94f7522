"""The ledger of Le Fantôme: who played whom in each round, the phantom's answer, the suspects left and La Carlotta."""

from __future__ import annotations

from collections.abc import Sequence

from ridotto.core.view import Seen, View
from ridotto.games.fantome.rules import PEOPLE
from ridotto.games.fantome.ui.words import Words
from ridotto.present import ledger
from ridotto.present.ledger import Chapter, Line, Mark, by_round, listed


class Ledger(ledger.Ledger[Words]):
    """Round by round."""

    def chapters(self, view: View, words: Words) -> list[Chapter]:
        """The rounds: characters played, the answer, the suspects left, La Carlotta's space."""
        chapters, suspects = list[Chapter](), PEOPLE
        for title, seen in by_round(view, words):
            lines = [Line(words.say("characters"), _picked(view, words, seen))]
            for one in seen:
                if one.event.name == "announces":
                    can = words.say("can manifest") if one.values["can"] else words.say("cannot manifest")
                    lines.append(Line(words.say("the phantom"), [Mark(can, one.ply)]))
                elif one.event.name == "clears":
                    suspects -= one.values["who"].bit_count()
                    lines.append(Line(words.say("suspects left"), [Mark(str(suspects), one.ply)]))
                elif one.event.name == "steps":
                    lines.append(
                        Line(words.say("La Carlotta"), [Mark(words.say("space {number}", number=one.values["space"]), one.ply)])
                    )
            chapters.append(Chapter(title, lines))
        return chapters


def _picked(view: View, words: Words, seen: Sequence[Seen]) -> list[Mark]:
    """The characters that each side played."""
    picks = [one for one in seen if one.event.name == "picks"]
    return [
        listed([Mark(words.who(one.values["who"]), one.ply) for one in picks if one.values["seat"] == seat])
        for seat in range(view.seats)
    ]
