"""Turandot in its rhythm: each hand that is laid is a beat; cards turned up, and the final count, get the stage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ridotto.core.view import Seen, View
from ridotto.games.turandot.rules import is_bid, position_of
from ridotto.games.turandot.ui.picture.cards import laid_cards
from ridotto.games.turandot.ui.words import Words
from ridotto.present import kit, protocols
from ridotto.present.html import Html, el, seat_badge
from ridotto.present.protocols import Moment
from ridotto.present.stage import Tally, drawing, heading, signed, tally

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

    def moments(self, view: View, words: Words, seen: Sequence[Seen]) -> list[Moment]:
        """The cards of an audition turning over, one number after the other; the final count."""
        if any(one.event.name == "reveals" for one in seen):
            return [Moment(words.say("The cards are turned up"), [_numbers(words, seen)])]
        if any(one.event.name == "counts" for one in seen):
            return [Moment(words.say("The final count"), _count(words, seen))]
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


def _count(words: Words, seen: Sequence[Seen]) -> list[Html]:
    """Stars, favourites, wrong roles, stage elements and director, player by player, then the total, and who wins."""
    parts = []
    sung = {one.values["seat"]: one for one in seen if one.event.name == "sings"}
    for one in seen:
        if one.event.name == "counts":
            seat = one.values["seat"]
            lines = [Tally(words.event(sung[seat]), seat)] if seat in sung else []
            parts.append(tally([*lines, Tally(words.event(one), seat, str(one.values["total"]))]))
        elif one.event.name == "fictitious":
            parts.append(tally([Tally(words.event(one), None, signed(one.values["total"]))]))
    return [*parts, *(heading(words.event(one)) for one in seen if one.event.name in WINNERS)]
