"""Reviews: what a bot thinks of each decision of a match, by what the seat could know, and what the decision cost.

A review is plain numbers without a language: `json` writes it and `read` reads it back, and sentences are made from the review
and the match for each reader. Chances are calibrated with the game's tuning, by how often seats with such a chance have really
won (see docs/calibration.md).

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
from ridotto.core.luck import Judge as LuckJudge
from ridotto.core.luck import MatchLuck, plies_of, start_of
from ridotto.core.match import Match
from ridotto.core.view import View
from ridotto.engine.fields import Seat, Target

FORMAT: Final = "ridotto review"
LUCK_PLAYOUTS: Final = 64
"""Of which the worth of a position is the mean, for the luck of one match."""
MOST_COSTLY: Final = 5
"""How many decisions at most are called the costliest."""


@dataclass(frozen=True)
class Review:
    """What a bot thinks of the decisions of a match."""

    game: str
    seats: int
    plies: int
    """How many entries the match had."""
    bot: str
    judgements: tuple[Judgement, ...]
    result: tuple[float, ...] | None = field(default=None)
    """Every seat's share of the win in the end."""
    luck: MatchLuck | None = None
    """What chance did; None: it was not looked at. See `ridotto.bots.account`."""

    @cached_property
    def costliest(self) -> tuple[Judgement, ...]:
        """The decisions that cost most, the worst first."""
        found = [one for one in self.judgements if one.least_loss >= COSTLY]
        return tuple(sorted(found, key=lambda one: (-one.loss, one.ply))[:MOST_COSTLY])

    @property
    def turning_point(self) -> Judgement | None:
        """The decision that cost somebody who did not win most; None if none was costly, or the match goes on."""
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
    found = []
    for ply in match.line:
        entry = match.entries[ply]
        if entry.seat is None or actions.parse(entry.do) is None or seat not in (None, entry.seat):
            continue
        if len(match.after(ply).legal(entry.seat)) > 1:
            found.append(ply)
    return found


def view_at(match: Match, ply: int, since: int = 0) -> View:
    """What the seat that decided at `ply` could know then, with the events from `since` on."""
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

    The worth of positions by which luck is told is the mean of `luck_playouts` playouts; None: as the game's tuning says.
    """
    found = []
    for done, ply in enumerate(decisions(match, seat), 1):
        action = match.game.action(match.entries[ply].do)
        found.append(judge(view_at(match, ply), ply, action, bot, seed + ply, target))
        progress(done)
    return assemble_review(match, bot, found, luck_of(match, luck_playouts, target))


def luck_of(match: Match, playouts: int | None = LUCK_PLAYOUTS, target: Target = "cpu") -> MatchLuck:
    """What chance did in a match."""
    looking = LuckJudge(match.game, match.seats, match.options, playouts=playouts, target=target)
    draws = [draw for ply in plies_of(match) for draw in looking.draws_of(match, ply)]
    return MatchLuck(start_of(match, looking), tuple(draws))


def assemble_review(match: Match, bot: str, judgements: Sequence[Judgement], luck: MatchLuck | None = None) -> Review:
    """A review with these judgements."""
    # Convert them to JSON and back, so that a new review is equal to a stored one.
    kept = tuple(_judgement(one.json()) for one in judgements)
    same = None if luck is None else MatchLuck.read(luck.json())
    return Review(match.game.name, match.seats, match.ply, bot, kept, shares(match), same)


def shares(match: Match) -> tuple[float, ...] | None:
    """Every seat's share of the win; None while the match goes on."""
    outcome = match.outcome
    if outcome is None:
        return None
    found = [1 / len(outcome.winners) if seat in outcome.winners else 0.0 for seat in range(match.seats)]
    return tuple(round(share, 4) for share in found)


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
