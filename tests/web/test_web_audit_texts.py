"""The audit of the texts that a page answers: over so many pairs of worlds that no server could be asked about them all.

What a request goes through before and after is left out: `test_web_audit` asks a server the same, in fewer worlds.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from paired_worlds import worlds

from ridotto.arena.texts import made_up_turn
from ridotto.core import drafts as core_drafts
from ridotto.core import turns
from ridotto.core.errors import BadNotation, IllegalAction, Refusal
from ridotto.core.match import Match
from ridotto.engine.digest import digest
from ridotto.engine.fields import Seat
from ridotto.games import GAMES
from ridotto.present.kit import foresight
from ridotto.present.ui import ui
from ridotto.present.words import Words
from ridotto.web.errors import ActionRefused
from ridotto.web.live import drafts
from ridotto.web.pages import site as pages
from ridotto.web.pages import why_not
from ridotto.web.pages.models import Reader, SeatView, TablePage

PAIRS, MANY = 50, 100_000
"""Pairs of each game, shared by the numbers of seats; many in soak."""
ALL = 1000
"""More positions than a match has."""
DRAWN = 0.05
"""The share of pairs in which the page with the draft is drawn as well."""


def page_of(match: Match, seat: Seat) -> TablePage:
    """The table as whoever sits there sees it."""
    due = match.to_act
    seats = tuple(SeatView(one, str(one), "person", "", you=one == seat, owing=one in due) for one in range(match.seats))
    return TablePage(Reader("", "en"), "table", match.game, match.view(seat), seats, "playing", log=())


def answers(match: Match, seat: Seat, text: str, is_drawn: bool) -> dict[str, str]:
    """The answers of a page to a text, by channel."""
    game, first = match.game, text.partition(turns.SEPARATOR)[0]
    words = ui(game).words(ui(game).narrator("en", ("",) * match.seats, seat))
    view = match.view(seat)
    found = {
        "act": _answer(words, lambda: match.after(match.ply).play(text, seat)),
        "why": _answer(words, lambda: why_not.answer(match, seat, text, words)),
        "compose": _answer(words, lambda: ui(game).page.compose(view, words, text)),
    }
    action = match.rules.ACTIONS.parse(first)
    if action is not None:
        found["preview"] = _answer(words, lambda: foresight.lines(view, action, words))
    if is_drawn:
        table = page_of(match, seat)
        found["draft"] = _answer(words, lambda: pages.draft(table, drafts.drafted_table(match, table, text)[1]))
    else:
        found["draft"] = _answer(words, lambda: drafts.drafted_match(match, seat, text).view(seat).row)
    return found


def _answer(words: Words, ask: Any) -> str:
    """What is answered, as it is sent; draws differ, so that of what is done only that it is."""
    try:
        return json.dumps(ask())
    except IllegalAction as error:
        assert error.refusal is not None
        refused = ActionRefused(error.refusal, words)
        return f"{refused.status} {refused.section} {refused.text(words.narrator)}"
    except BadNotation as error:
        return str(error)


def pairs(game: str, seats: int) -> Iterator[tuple[Match, Match, Seat]]:
    """Two worlds that a seat cannot tell apart, without end."""
    seed = 0
    while True:
        for eyes, one, other, _, _ in worlds(game, seats, seed, plies=ALL):
            if eyes is not None:
                yield one, other, eyes
        seed += 1


def leaks(game: str, seats: int, count: int) -> Counter[str]:
    """In how many of so many pairs an answer differed, by channel."""
    found: Counter[str] = Counter()
    for (one, other, seat), number in zip(pairs(game, seats), range(count), strict=False):
        dice = random.Random(f"{game} {seats} {number}")
        text, is_drawn = made_up_turn((one, other), seat, dice), dice.random() < DRAWN
        told, of_other = (answers(world, seat, text, is_drawn) for world in (one, other))
        found.update(channel for channel in told if told[channel] != of_other[channel])
    return found


@pytest.mark.parametrize("count", [PAIRS, pytest.param(MANY, marks=pytest.mark.soak)])
@pytest.mark.parametrize("game", ["fantome", "opera", "turandot"])
def test_no_text_is_answered_with_a_secret(game: str, count: int) -> None:
    """Turns that are sent, asked about, composed, drafted and previewed."""
    seats = GAMES[game].seats
    for number in seats if count == MANY else seats[:1]:
        assert {} == leaks(game, number, count // len(seats) if count == MANY else count)


def told(error: IllegalAction, match: Match) -> IllegalAction:
    """The same refusal with something of the row in it."""
    assert error.refusal is not None
    return IllegalAction(str(error), replace(error.refusal, section=digest(match.row)[:8]))


def _in_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    play = Match.play

    def playing(self: Match, action: int | str, seat: Seat | None = None, **given: Any) -> None:
        try:
            play(self, action, seat, **given)
        except IllegalAction as error:
            raise told(error, self) from error

    monkeypatch.setattr(Match, "play", playing)


def _in_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(why_not, "why", lambda match, seat, do: Refusal("over", digest(match.row), seat, do, ()))


def _in_a_draft(monkeypatch: pytest.MonkeyPatch) -> None:
    drafted = core_drafts.drafted

    def drafting(match: Match, seat: Seat, wanted: Any) -> Any:
        try:
            return drafted(match, seat, wanted)
        except IllegalAction as error:
            raise told(error, match) from error

    monkeypatch.setattr(core_drafts, "drafted", drafting)


def _in_a_preview(monkeypatch: pytest.MonkeyPatch) -> None:
    _remember(monkeypatch)
    monkeypatch.setattr(foresight, "lines", lambda view, action, words: [TRUTH[id(view)]])


def _in_what_is_composed(monkeypatch: pytest.MonkeyPatch) -> None:
    _remember(monkeypatch)
    page = type(ui(GAMES["opera"]).page)
    monkeypatch.setattr(page, "compose", lambda self, view, words, text: {"worth": TRUTH[id(view)]})


TRUTH: dict[int, str] = {}
"""Something of the whole row behind a view."""


def _remember(monkeypatch: pytest.MonkeyPatch) -> None:
    view = Match.view

    def remember(self: Match, seat: Seat | None = None, since: int = 0) -> Any:
        made = view(self, seat, since)
        TRUTH[id(made)] = digest(self.row)
        return made

    monkeypatch.setattr(Match, "view", remember)


@pytest.mark.parametrize(
    ("channel", "plant"),
    [
        ("act", _in_a_refusal),
        ("why", _in_a_reason),
        ("draft", _in_a_draft),
        ("preview", _in_a_preview),
        ("compose", _in_what_is_composed),
    ],
)
def test_an_answer_that_knows_too_much_is_found(channel: str, plant: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A leak that is planted in each of them is named."""
    plant(monkeypatch)
    found = leaks("opera" if channel == "compose" else "fantome", 2, 8 * PAIRS if channel == "compose" else PAIRS)
    TRUTH.clear()
    assert found[channel], found
