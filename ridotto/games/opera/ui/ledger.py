"""The ledger of Opera: what everybody bid, where they stood, whom they hired, what they earned, and their points."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ridotto.core.view import Seen, View
from ridotto.games.opera.rules import A_HALL, ROLE
from ridotto.games.opera.ui.words import Words
from ridotto.present import ledger
from ridotto.present.ledger import Chapter, Line, Mark, by_round, listed
from ridotto.present.narrator import opening
from ridotto.present.stage import signed

INCOME = {"earns", "doubles", "bonus"}


class Ledger(ledger.Ledger[Words]):
    """Round by round, and what can lie behind the screens."""

    def chapters(self, view: View, words: Words) -> list[Chapter]:
        """The rounds; at the end the most that everybody can have, by what they earned and bid."""
        rounds = [Chapter(title, [*_lines(view, words, events)]) for title, events in by_round(view, words)]
        return [*rounds, _screens(view, words)] if rounds else []


def _lines(view: View, words: Words, seen: Sequence[Seen]) -> Iterator[Line]:
    """Bid, place, roles, income and points of a round."""
    bids = [one for one in seen if one.event.name == "bids"]
    # Markers that stay were there before those that come; the others go up in the order of the table.
    order = sorted(bids, key=lambda one: (-one.values["level"], one.values["ducats"] > 0, bids.index(one)))
    yield Line(words.say("bid"), _of(view, bids, lambda one: str(one.values["ducats"])))
    yield Line(words.say("place"), _of(view, order, lambda one: str(order.index(one) + 1)))
    roles = [one for one in seen if one.event.name in ("hires", "joins")]
    yield Line(words.say("roles"), _of(view, roles, _role))
    yield Line(words.say("income"), _sum(view, [one for one in seen if one.event.name in INCOME], _ducats))
    yield Line(words.say("points"), _sum(view, seen, _points))


def _of(view: View, seen: Sequence[Seen], text: Callable[[Seen], str]) -> list[Mark]:
    """A cell for each seat, with its events as text."""
    return [listed([Mark(text(one), one.ply) for one in seen if one.values["seat"] == seat]) for seat in range(view.seats)]


def _role(one: Seen) -> str:
    """A role that was hired; one that was played along with in brackets. Roles have Italian names in every language."""
    name = opening(ROLE.names[one.values["role"]])
    return name if one.event.name == "hires" else f"({name})"


def _sum(view: View, seen: Sequence[Seen], amount: Callable[[Seen], int]) -> list[Mark]:
    """A cell for each seat, with the sum of its events."""
    cells = []
    for seat in range(view.seats):
        counted = [(one, number) for one in seen if one.values.get("seat") == seat and (number := amount(one))]
        total = sum(number for _, number in counted)
        cells.append(Mark(signed(total), counted[-1][0].ply) if counted else Mark(""))
    return cells


def _ducats(one: Seen) -> int:
    """The ducats that an event brings."""
    return one.values.get("ducats", 1)


def _points(one: Seen) -> int:
    """The points that an event brings."""
    if one.event.name == "builds":
        return A_HALL * one.values["halls"]
    if one.event.name in ("honoured", "scores", "counts", "celebrates"):
        return one.values["points"]
    return -one.values["points"] if one.event.name == "forfeits" else 0


def _screens(view: View, words: Words) -> Chapter:
    """The most ducats that can lie behind each screen: first ducats and income without the bids; purchases are not counted."""
    purse = [0] * view.seats
    for one in view.in_effect():
        if one.event.name in ("funded", "paid", *INCOME):
            purse[one.values["seat"]] += _ducats(one)
        elif one.event.name == "bids":
            purse[one.values["seat"]] -= one.values["ducats"]
    cells = [Mark(words.say("at most {number}", number=number)) for number in purse]
    return Chapter(words.say("Behind the screens"), [Line(words.say("ducats, purchases not counted"), cells)])
