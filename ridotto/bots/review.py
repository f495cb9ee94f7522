"""Reviews: a bot's judgements of the decisions of a match, by the knowledge of each seat, and their losses.

A review is plain numbers without a language: `json` writes it and `read` reads it back, and sentences are made from the review
and the match for each reader (`ridotto.bots.review_words`).

>>> from ridotto.core.match import Match
>>> from ridotto.games import GAMES
>>> match = Match(GAMES["fantome"], seed=1)
>>> match.play(match.legal()[0])
>>> made = review(match, "search:50", seed=1)
>>> [one.ply for one in made.judgements], read(made.json()) == made
([1], True)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from ridotto.bots import Ranked, Reply
from ridotto.bots.judging import BOT, COSTLY, Judgement, NoReview, judge
from ridotto.bots.reasons import Comparison
from ridotto.core.luck import LuckJudge, MatchLuck, plies_of, start_of
from ridotto.core.match import Match
from ridotto.core.view import View
from ridotto.engine.fields import Seat, Target

FORMAT: Final = "ridotto review"
LUCK_PLAYOUTS: Final = 64
"""Playouts for the worth of a position, for the luck of one match."""
MOST_COSTLY: Final = 5
"""The most decisions in `costliest`."""


@dataclass(frozen=True)
class Review:
    """A bot's judgements of the decisions of a match."""

    game: str
    seats: int
    plies: int
    """The number of entries of the match."""
    bot: str
    judgements: tuple[Judgement, ...]
    result: tuple[float, ...] | None = field(default=None)
    """Every seat's share of the win in the end."""
    luck: MatchLuck | None = None
    """The luck; None if it was not measured. See `ridotto.bots.account`."""

    @cached_property
    def costliest(self) -> tuple[Judgement, ...]:
        """The decisions that cost most, the worst first."""
        costly = [one for one in self.judgements if one.least_loss >= COSTLY]
        return tuple(sorted(costly, key=lambda one: (-one.loss, one.ply))[:MOST_COSTLY])

    @property
    def turning_point(self) -> Judgement | None:
        """The costliest decision of a seat that did not win; None without one, or if the match goes on."""
        if self.result is None:
            return None
        return next((one for one in self.costliest if not self.result[one.seat]), None)

    def of_seat(self, seat: Seat) -> list[Judgement]:
        return [one for one in self.judgements if one.seat == seat]

    def mean_loss(self, seat: Seat) -> float:
        """The mean loss of a seat's decisions."""
        mine = self.of_seat(seat)
        return sum(one.loss for one in mine) / len(mine) if mine else 0.0

    def json(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "version": 1,
            "game": self.game,
            "seats": self.seats,
            "plies": self.plies,
            "bot": self.bot,
            "judgements": [one.json() for one in self.judgements],
            "result": None if self.result is None else [round(share, 4) for share in self.result],
            "luck": self.luck and self.luck.json(),
        }


def decisions(match: Match, seat: Seat | None = None) -> list[int]:
    """The plies of the decisions in effect (of one seat) with more than one legal action."""
    actions = match.rules.ACTIONS
    plies = []
    for ply in match.line:
        entry = match.entries[ply]
        if entry.seat is None or actions.parse(entry.do) is None or seat not in (None, entry.seat):
            continue
        if len(match.after(ply).legal(entry.seat)) > 1:
            plies.append(ply)
    return plies


def view_at(match: Match, ply: int, since: int = 0) -> View:
    """The view of the seat that decided at `ply`, at that time, with the events from `since` on."""
    return match.after(ply).view(match.entries[ply].seat, since)


def review(
    match: Match,
    bot: str = BOT,
    seat: Seat | None = None,
    *,
    seed: int = 0,
    progress: Callable[[int], None] = lambda done: None,
    luck_playouts: int | None = LUCK_PLAYOUTS,
    target: Target = "cpu",
) -> Review:
    """Judge every decision of a match (or of one seat); `progress` is called with how many are done.

    Luck is measured by `luck_playouts` playouts for each position; None: as in the game's tuning.
    """
    judgements = []
    for done, ply in enumerate(decisions(match, seat), 1):
        action = match.game.action(match.entries[ply].do)
        judgements.append(judge(view_at(match, ply), ply, action, bot, seed + ply, target))
        progress(done)
    return assemble_review(match, bot, judgements, luck_of(match, luck_playouts, target))


def luck_of(match: Match, playouts: int | None = LUCK_PLAYOUTS, target: Target = "cpu") -> MatchLuck:
    """The luck in a match."""
    judge = LuckJudge(match.game, match.seats, match.options, playouts=playouts, target=target)
    draws = [draw for ply in plies_of(match) for draw in judge.draws_of(match, ply)]
    return MatchLuck(start_of(match, judge), tuple(draws))


def assemble_review(match: Match, bot: str, judgements: Sequence[Judgement], luck: MatchLuck | None = None) -> Review:
    """A review with these judgements."""
    # Convert them to JSON and back, so that a new review is equal to a stored one.
    rounded = tuple(_judgement(one.json()) for one in judgements)
    rounded_luck = None if luck is None else MatchLuck.read(luck.json())
    return Review(match.game.name, match.seats, match.ply, bot, rounded, shares(match), rounded_luck)


def shares(match: Match) -> tuple[float, ...] | None:
    """Every seat's share of the win; None while the match goes on."""
    outcome = match.outcome
    if outcome is None:
        return None
    return tuple(round(1 / len(outcome.winners), 4) if seat in outcome.winners else 0.0 for seat in range(match.seats))


def read(document: Mapping[str, Any]) -> Review:
    """The review in a JSON document."""
    if document.get("format") != FORMAT or document.get("version") != 1:
        raise NoReview(f'not a review: a review is a JSON object with "format": "{FORMAT}" and "version": 1')
    result = document["result"]
    return Review(
        document["game"],
        document["seats"],
        document["plies"],
        document["bot"],
        tuple(_judgement(one) for one in document["judgements"]),
        None if result is None else tuple(result),
        MatchLuck.read(document["luck"]) if document.get("luck") else None,
    )


def _judgement(one: Mapping[str, Any]) -> Judgement:
    reply = one["reply"]
    return Judgement(
        one["ply"],
        one["seat"],
        one["action"],
        tuple(one["values"]),
        tuple(Ranked(*ranked) for ranked in one["ranked"]),
        one["playouts"],
        one["hidden"],
        Reply(reply["seat"], reply["action"], tuple(reply["row"])) if reply else None,
        Comparison.read(one["seat"], one["compared"]) if one.get("compared") else None,
        one.get("checked"),
    )
