"""Takebacks in words: why one needs consent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ridotto.core.match import Match
from ridotto.core.takeback import CANNOT_BE_DEALT_ANEW, Takeback
from ridotto.engine.fields import Seat
from ridotto.present.reasons import UNAVAILABLE
from ridotto.present.words import Words

MOST_SENTENCES: Final = 3
"""The most sentences about what was learned."""


def because(takeback: Takeback, match: Match, words: Words, reader: Seat) -> str:
    """The reasons why a takeback needs consent, in words for one seat, as far as that seat may know them."""
    lines = []
    if any(words.is_reader(seat) for seat in takeback.acted):
        lines.append(words.say("you have played"))
    if others := [seat for seat in takeback.acted if not words.is_reader(seat)]:
        lines.append(words.count("{who} has played", "{who} have played", len(others), who=words.names(others)))
    if takeback.is_redealt:
        lines.append(words.say("everything hidden was dealt again"))
    sentences: dict[tuple[Seat | None, ...], list[str]] = {}
    for who, seen in takeback.shown_to(reader):
        sentences.setdefault(who, []).append(words.event(seen))
    for learners, texts in sentences.items():
        what = " ".join(texts[:MOST_SENTENCES]) + (" …" if len(texts) > MOST_SENTENCES else "")
        lines.append(_shown(match, words, learners, what))
    if not sentences and takeback.is_drawn:
        lines.append(words.say("something was drawn"))
    elif not sentences and takeback.learned:
        lines.append(words.say("a secret was shown"))
    return "; ".join(lines)


def why_not_anew(takeback: Takeback, words: Words) -> str:
    """The reason why learned secrets cannot be dealt again; "" if they can, or there are none."""
    return words.say(UNAVAILABLE[CANNOT_BE_DEALT_ANEW]) if takeback.is_fixed else ""


def _shown(match: Match, words: Words, who: Sequence[Seat | None], what: str) -> str:
    """Sentences about each thing learned and its learners."""
    seats = [seat for seat in who if seat is not None]
    if len(seats) == match.seats:
        return words.say("everybody saw “{what}”", what=what)
    if not seats:
        return words.say("spectators saw “{what}”", what=what)
    return words.count("{who} saw “{what}”", "{who} saw “{what}”", len(seats), who=words.names(seats), what=what)
