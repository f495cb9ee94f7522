"""Everybody at the table as HTML: mark, name, state and clock."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from ridotto.present.html import Html, seat_badge
from ridotto.present.narrator import Narrator, mark
from ridotto.present.words import Standing
from ridotto.web.clocks import short
from ridotto.web.pages.models import SeatView, TablePage
from ridotto.web.pages.render import render
from ridotto.web.pages.table_parts import rank
from ridotto.web.pages.table_result import has_points, score_text


class ClockText(NamedTuple):
    """The time left on a player's clock. The script counts on from here."""

    left: str
    label: str
    until: int | None
    """The time when it will have run down, in milliseconds, while it runs."""


class Sitter(NamedTuple):
    """Somebody at the table, in words."""

    badge: Html
    classes: str
    name: str
    note: str
    is_thinking: bool
    state: str
    is_state_seen: bool
    why: str
    """The meaning of the state, where that is not plain."""
    clock: ClockText | None
    score: str
    leads: bool


SHORTAGES: Final = {
    "warming": (mark("warming up"), mark("It plays below its level for now: the game is still being prepared.")),
    "busy": (mark("short of time"), mark("It plays below its level for now: the server has much to do.")),
    "browser": (mark("short of time"), mark("It plays below its level here: this browser has less time to think.")),
}
"""The reasons why a bot thinks less than its level would, each as a state and as a sentence."""


def people(table: TablePage) -> Html:
    """Everybody at the table."""
    return render("people.html", table.narrator, people=each_person(table))


def each_person(table: TablePage) -> list[Html]:
    """Everybody, one by one: mark, name, what they are, whether they are here, and whether they owe a decision."""
    language, is_over, standings = table.narrator.language, table.state == "over", _standings(table)
    return [
        _person(
            language,
            place,
            standings[place.seat],
            place.seat in table.thinking,
            table.degraded.get(place.seat, ""),
            is_over,
            table.now if place.clock is not None else 0,
        )
        for place in table.seats
    ]


def _standings(table: TablePage) -> Sequence[Standing]:
    """The standing of each seat: the score at the end, and before it what is public."""
    outcome, nothing = table.view.outcome, [Standing("")] * table.view.seats
    if outcome is None:
        return table.words.standings(table.view.row) or nothing
    if not has_points(outcome) or outcome.is_resigned:
        return [Standing("", seat in outcome.winners) for seat in range(table.view.seats)]
    return [Standing(score_text(score), seat in outcome.winners) for seat, score in enumerate(outcome.scores)]


@lru_cache(8192)
def _person(
    language: str, place: SeatView, standing: Standing, is_thinking: bool, degraded: str, is_over: bool, now: int
) -> Html:
    """Somebody at the table: the same for most who look at it."""
    narrator = Narrator(language)
    return render("person.html", narrator, one=_sitter(narrator, place, standing, is_thinking, degraded, is_over, now))


def _sitter(
    narrator: Narrator, place: SeatView, standing: Standing, is_thinking: bool, degraded: str, is_over: bool, now: int
) -> Sitter:
    say = narrator.say
    is_away = place.kind == "person" and not place.here and not place.you and not place.stand_in and not is_thinking
    state = ""
    if place.left and not is_over:
        state = say("resigned, a bot plays") if place.left == "resigned" else say("out of time, a bot plays")
    elif place.stand_in:
        state = say("a bot plays")
    elif degraded:
        state = say(SHORTAGES[degraded][0])
    elif is_thinking:
        state = say("thinking")
    elif is_away:
        state = say("away")
    elif place.kept:
        state = say("invited")
    is_free = place.kind == "free" and not place.kept
    name = say("you") if place.you and not place.name else say("free seat") if is_free else place.display_name
    note = rank(narrator, place) + ([say("you")] if place.you and place.name else [])
    classes = [
        "person",
        place.kind,
        "owing" if place.owing and not is_over else "",
        "thinks" if is_thinking else "",
        "you" if place.you else "",
        "away" if is_away else "",
    ]
    return Sitter(
        seat_badge(place.seat),
        " ".join(filter(None, classes)),
        name,
        " · ".join(note),
        is_thinking,
        state,
        not is_thinking or bool(degraded or place.stand_in),
        say(SHORTAGES[degraded][1]) if degraded else "",
        _clock(narrator, place, now),
        standing.text,
        standing.leads,
    )


def _clock(narrator: Narrator, place: SeatView, now: int) -> ClockText | None:
    if place.clock is None or place.kind != "person":
        return None
    label = narrator.say("your time") if place.you else narrator.say("time of {who}", who=place.display_name)
    return ClockText(short(place.clock.at(now), narrator), label, place.clock.until)
