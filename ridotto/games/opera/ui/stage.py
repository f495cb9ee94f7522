"""Opera in its rhythm: a role is one beat; the bids, the end of a round and the counts get the stage."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from ridotto.core.view import Seen, View
from ridotto.games.opera.ui.words import Words
from ridotto.present import protocols
from ridotto.present.html import Html
from ridotto.present.protocols import Moment
from ridotto.present.stage import Tally, heading, sentence, signed, tally

OPENINGS: Final = frozenset(("hires", "joins", "declines", "ends", "spent", "forced"))
"""Events that begin a beat."""
INCOME: Final = frozenset(("earns", "doubles", "bonus"))
FAME: Final = frozenset(("most", "climbs"))
POINTS: Final = frozenset(("counts", "celebrates", "forfeits"))


class Stage(protocols.Stage[Words]):
    """The beats of Opera, and its moments: the bids, the end of a round, the counts."""

    def goes_on(self, before: Sequence[Seen], seen: Sequence[Seen]) -> bool:
        """All that a seat does with a role is one beat."""
        return seen[0].event.name not in OPENINGS and super().goes_on(before, seen)

    def moments(self, view: View, words: Words, seen: Sequence[Seen]) -> list[Moment]:
        """The bids as they are uncovered; what everybody earns at the end of a round; the count player by player."""
        moments = []
        if bids := [one for one in seen if one.event.name == "bids"]:
            lines = [Tally(words.event(one), one.values["seat"], str(one.values["ducats"])) for one in bids]
            moments.append(Moment(words.say("The bids"), [tally(lines)], holds=False))
        if parts := [*_income(words, seen), *_fame(words, seen)]:
            moments.append(Moment(words.say("The round ends"), parts, holds=False))
        for one in seen:
            if one.event.name == "counting":
                opened = [sentence(words.event(city)) for city in seen if city.event.name == "reveals"]
                moments.append(Moment(words.event(one), [_count(words, seen), *opened]))
        return moments


def _income(words: Words, seen: Sequence[Seen]) -> list[Html]:
    """Everybody's income."""
    income = [one for one in seen if one.event.name in INCOME]
    if not income:
        return []
    lines = [Tally(words.event(one), one.values["seat"], signed(one.values.get("ducats", 1))) for one in income]
    return [heading(words.say("Income")), tally(lines)]


def _fame(words: Words, seen: Sequence[Seen]) -> list[Html]:
    """Which composers rise and fall."""
    lines = [
        Tally(words.event(one), None, str(one.values["fame"]) if "fame" in one.values else "")
        for one in seen
        if one.event.name in FAME
    ]
    return [heading(words.say("Fame")), tally(lines)] if lines else []


def _count(words: Words, seen: Sequence[Seen]) -> Html:
    """Great halls, the Composer of the Century and empty halls, player by player."""
    points_of = [one for one in seen if one.event.name in POINTS]
    lines = []
    for seat, of_seat in groupby(points_of, key=lambda one: one.values["seat"]):
        for one in of_seat:
            lost = one.event.name == "forfeits"
            points = -one.values["points"] if lost else one.values["points"]
            lines.append(Tally(words.event(one), seat, signed(points), lost))
    return tally(lines)
