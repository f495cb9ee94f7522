"""What was turned up in an audition, and what became of it, as the rules and their events tell it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from ridotto.core.view import Seen, View
from ridotto.engine.fields import Events, Row, Seat
from ridotto.games.turandot import rules
from ridotto.games.turandot.rules import FIELDS, F, is_bid, position_of
from ridotto.games.turandot.ui.words import Words
from ridotto.present.kit import drawing
from ridotto.present.kit.foresight import events_of
from ridotto.present.narrator import mark

RESULTS: Final = {
    "recruits": (mark("won"), "good bold"),
    "overbids": (mark("won"), "good bold"),
    "outbid": (mark("outbid"), "bad"),
    "tied": (mark("tie"), "bad bold"),
    "hires": (mark("hired"), "good bold"),
    "refused": (mark("in vain"), "quiet"),
    "retrieves": (mark("in vain"), "quiet"),
}
"""What became of a seat's cards, by the event that tells it: in a word, and the classes of that word."""


class Reveal(NamedTuple):
    """The cards of an audition, turned up."""

    choices: tuple[int, ...]
    """What each seat has laid."""
    holder: Seat
    """Who had Puccini."""
    round: int


class Settled(NamedTuple):
    """What became of the cards of an audition."""

    results: Mapping[Seat, str]
    """The event that tells it, for each seat."""
    hired: Mapping[Seat, int]
    """Whom seats have hired."""


NOT_SETTLED: Final = Settled({}, {})


def revealed(view: View) -> Reveal | None:
    """What lies before the seats, face up; None if the cards of this round are not turned up, or taken back already."""
    s = view.row
    choices = tuple(s[F.shown : F.shown + view.seats])
    return Reveal(choices, s[F.puccini], s[F.round]) if choices[0] >= 0 else None


def last_reveal(view: View) -> Reveal | None:
    """The cards of the audition of the round before, as far as the reader has seen it."""
    latest: list[Seen] = []
    for one in view.in_effect():
        if latest and one.ply != latest[0].ply:
            break
        if one.event.name == "reveals":
            latest.append(one)
    choices = {one.values["seat"]: one.values["choice"] for one in latest}
    if not choices:
        return None
    return Reveal(tuple(choices[seat] for seat in range(view.seats)), latest[-1].values["seat"], view.row[F.round] - 1)


@drawing
def settled(reveal: Reveal) -> Settled:
    """What becomes of the cards: the rules recruit (§5.1 to §5.4) on a row that has nothing else."""

    def recruit(s: Row, events: Events) -> None:
        for position in range(s[F.seats] + 1):
            rules.award(s, position, events)
        rules.hire(s, events)

    seats = len(reveal.choices)
    s = [0] * FIELDS.width
    s[F.seats], s[F.puccini], s[F.round] = seats, reveal.holder, reveal.round
    s[F.shown : F.shown + seats] = reveal.choices
    results: dict[Seat, str] = {}
    hired: dict[Seat, int] = {}
    for one in events_of(rules, recruit, s):
        name, values = one.event.name, one.values
        if name == "tied":
            bids = {seat: choice for seat, choice in enumerate(reveal.choices) if is_bid(choice)}
            results |= {seat: name for seat, bid in bids.items() if position_of(bid) == values["position"]}
        else:
            results[values["seat"]] = name
        if name == "hires":
            hired[values["seat"]] = values["helper"]
    return Settled(results, hired)


def takers(view: View) -> dict[int, Seat]:
    """Who got the cards of this round, by the positions where they lay, as far as the reader has seen it."""
    seats: dict[int, Seat] = {}
    for one in view.in_effect():
        if one.event.name == "opens":
            break
        if one.event.name in ("recruits", "overbids", "gives"):
            seats[one.values["position"]] = one.values["seat"]
    return seats


def result_text(words: Words, result: str) -> tuple[str, str]:
    """What became of a seat's cards, in a word, and the classes of that word."""
    text, cls = RESULTS[result]
    return words.say(text), cls
