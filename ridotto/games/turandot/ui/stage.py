"""Turandot in its rhythm: each hand that is laid is a beat; cards turned up, and the final count, get the stage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ridotto.core.view import Seen, View
from ridotto.games.turandot.rules import PARTS, is_bid, position_of
from ridotto.games.turandot.ui.picture.cards import laid_cards
from ridotto.games.turandot.ui.picture.score import PART_NAMES
from ridotto.games.turandot.ui.words import Words
from ridotto.present import kit, protocols
from ridotto.present.html import Html, el, seat_badge
from ridotto.present.narrator import opening
from ridotto.present.protocols import Cut, Moment
from ridotto.present.stage import SumRow, drawing, heading, sums

TURNS: Final = frozenset(("lays", "strikes", "names"))
"""Events with which somebody's turn begins."""
OUTCOMES: Final = frozenset(("recruits", "overbids", "outbid", "tied"))
"""Events that settle a number."""
ALONE: Final = frozenset(("hires", "refused", "retrieves"))
"""Events that settle money laid alone."""
WINNERS: Final = frozenset(("wins", "settles", "shares", "lost"))


class Stage(protocols.Stage[Words]):
    """The beats of Turandot that are shown in one go, and the sounds."""

    def goes_on(self, before: Sequence[Seen], seen: Sequence[Seen]) -> bool:
        """Roles that one player fills belong together."""
        return seen[0].event.name not in TURNS and super().goes_on(before, seen)

    def cuts(self, seen: Sequence[Seen]) -> list[Cut]:
        """The last hand is seen to be laid before the cards are turned up."""
        names = [one.event.name for one in seen]
        return [Cut(at + 1, at) for at in range(len(names) - 1) if names[at] == "lays" and names[at + 1] == "reveals"]

    def moments(self, view: View, words: Words, seen: Sequence[Seen]) -> list[Moment]:
        """The cards of an audition turning over, one number after the other; the final count."""
        if any(one.event.name == "reveals" for one in seen):
            return [Moment(words.say("The cards are turned up"), [_numbers(words, seen)])]
        if any(one.event.name == "counts" for one in seen):
            return [Moment(words.say("The final count"), _count(view, words, seen))]
        return []


def _numbers(words: Words, seen: Sequence[Seen]) -> Html:
    """The cards laid on each number and what came of it; money laid alone at the end."""
    laid = {one.values["seat"]: one.values["choice"] for one in seen if one.event.name == "reveals"}
    numbers = sorted({position_of(choice) for choice in laid.values() if is_bid(choice)})
    found = []
    for number in numbers:
        bidders = [seat for seat, choice in laid.items() if is_bid(choice) and position_of(choice) == number]
        told = [one for one in seen if one.event.name in OUTCOMES and one.values["position"] == number]
        is_tie = any(one.event.name == "tied" for one in told)
        cards = [_hand(words.nameless(), seat, laid[seat], _tone(told, seat)) for seat in bidders]
        texts = [el("p", words.event(one)) for one in told]
        badge = el("b", str(number + 1), cls="number")
        found.append(el("li", badge, el("div", *cards, cls="hands"), el("div", *texts), cls="clashing" if is_tie else ""))
    alone = [seat for seat, choice in laid.items() if not is_bid(choice)]
    if alone:
        cards = [_hand(words.nameless(), seat, laid[seat], "") for seat in alone]
        texts = [el("p", words.event(one)) for one in seen if one.event.name in ALONE]
        found.append(el("li", el("b", "·", cls="number"), el("div", *cards, cls="hands"), el("div", *texts)))
    return el("ol", *found, cls="turned-numbers")


def _tone(told: Sequence[Seen], seat: int) -> str:
    """Whether a bid has won."""
    won = any(one.event.name in ("recruits", "overbids") and one.values["seat"] == seat for one in told)
    return "won" if won else "in-vain"


@kit.drawing
def _hand(words: Words, seat: int, choice: int, tone: str) -> Html:
    """The cards that somebody laid."""
    cards = drawing(kit.placed([laid_cards(choice)], 40, 26), "0 0 80 52", "laid-cards")
    return el("span", seat_badge(seat), cards, el("span", words.laid(choice), cls="unseen"), cls=f"hand {tone}".strip())


def _count(view: View, words: Words, seen: Sequence[Seen]) -> list[Html]:
    """Every part of everybody's score with its sum, the fictitious troupe's among them, and who wins."""
    outcome = view.outcome
    assert outcome is not None
    names = [part.name for part in PARTS if part.seats in (0, view.seats)]
    rows = [
        SumRow(opening(words.names([seat])), seat, [parts[name] for name in names], outcome.scores[seat])
        for seat, parts in enumerate(outcome.parts)
    ]
    rows += [SumRow(one.name, None, [one.parts.get(name) for name in names], one.score) for one in words.rivals(view.row)]
    table = sums([words.say(PART_NAMES[name]) for name in names], rows, words.say("the total"), is_signed=False)
    return [table, *(heading(words.event(one)) for one in seen if one.event.name in WINNERS)]
