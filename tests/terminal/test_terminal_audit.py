"""The audit of the terminal: the same texts typed in worlds that a seat cannot tell apart are answered with the same lines."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from itertools import chain

import pytest
from paired_worlds import worlds
from rich.console import Console
from turn_orders import COMPOUND

from ridotto.arena.texts import made_up_turn
from ridotto.core import drafts
from ridotto.core.errors import IllegalAction, Refusal
from ridotto.core.match import Match
from ridotto.engine.digest import digest
from ridotto.engine.fields import Seat
from ridotto.terminal import session as terminal

MATCHES, MANY = 5, 1000
"""Matches of which worlds are made; many in soak."""
TEXTS = 4
"""Turns that are typed in each world."""


def pairs(game: str, matches: int) -> Iterator[tuple[Match, Match, Seat, list[str]]]:
    """Two worlds in which it is the same seat's turn, and what it types in both."""
    seats = {"fantome": 2, "opera": 3, "turandot": 3}[game]
    for eyes, one, other, unlike, _ in chain.from_iterable(worlds(game, seats, seed) for seed in range(matches)):
        if eyes is not None and unlike and one.to_act == other.to_act == (eyes,):
            dice = random.Random(one.ply)
            made_up = [made_up_turn((one, other), eyes, dice) for _ in range(TEXTS)]
            actions = one.rules.ACTIONS
            asked = [f"why {actions.notation(dice.randrange(actions.size))}" for _ in range(TEXTS)]
            yield one, other, eyes, [text for text in (*asked, *made_up) if not is_done((one, other), eyes, text)]


def is_done(matches: tuple[Match, Match], seat: Seat, text: str) -> bool:
    """Whether a turn would be done in one of the worlds: what comes of it may differ."""
    return any(match.why(text, seat) is None for match in matches) if "," in text else not text.startswith("why")


def printed(match: Match, seat: Seat, texts: list[str], monkeypatch: pytest.MonkeyPatch) -> str:
    """What somebody who plays that seat reads, who types these texts and leaves."""
    screen, names = io.StringIO(), [f"player {number}" for number in range(match.seats)]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(["", *texts, "quit", ""])))
    terminal.play(match.after(match.ply), names, bots={}, console=Console(file=screen, width=200))
    return screen.getvalue()


def differences(game: str, monkeypatch: pytest.MonkeyPatch, matches: int = MATCHES) -> tuple[int, list[str]]:
    """How many texts were typed in both worlds of a pair, and the first line of each screen that differed."""
    compared, different = 0, []
    for one, other, seat, texts in pairs(game, matches):
        screens = [printed(world, seat, texts, monkeypatch) for world in (one, other)]
        compared += len(texts)
        if screens[0] != screens[1]:
            different += [f"{a!r} and {b!r}" for a, b in zip(*(s.splitlines() for s in screens), strict=False) if a != b][:1]
    return compared, different


@pytest.mark.parametrize("matches", [MATCHES, pytest.param(MANY, marks=pytest.mark.soak)])
@pytest.mark.parametrize("game", COMPOUND)
def test_a_terminal_answers_the_same_in_worlds_that_a_seat_cannot_tell_apart(
    game: str, matches: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared, different = differences(game, monkeypatch, matches)
    assert [] == different
    assert compared > 20


def test_a_leak_planted_in_an_answer_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a refusal named a § by the true row, the screens would differ: the test above can fail."""
    why = Match.why

    def telling(self: Match, action: int | str, seat: Seat | None = None) -> Refusal | None:
        refusal = why(self, action, seat)
        if refusal is None:
            return None
        return Refusal(refusal.reason, digest(self.row)[:8], refusal.seat, refusal.action, refusal.row)

    monkeypatch.setattr(Match, "why", telling)
    _, different = differences("fantome", monkeypatch)
    assert different


def test_a_leak_planted_in_a_draft_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same for a turn that is put together."""
    drafted = drafts.drafted

    def telling(match: Match, seat: Seat, wanted: list[str]) -> drafts.Draft:
        try:
            return drafted(match, seat, wanted)
        except IllegalAction as error:
            assert error.refusal is not None
            refusal = Refusal(error.refusal.reason, digest(match.row)[:8], seat, error.refusal.action, error.refusal.row)
            raise IllegalAction(str(error), refusal) from error

    monkeypatch.setattr(drafts, "drafted", telling)
    _, different = differences("fantome", monkeypatch)
    assert different
