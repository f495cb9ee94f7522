"""Judging one decision: a bot's opinion of it, by the knowledge of the seat that made it, and the loss.

Chances are calibrated with the game's tuning, by the share of wins of seats with such a chance (see docs/calibration.md).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from ridotto.bots import Budget, Opinion, Ranked, Reply, Search, find, opinion
from ridotto.bots.continuations import paired
from ridotto.bots.reasons import Comparison, compare
from ridotto.core.game import Game
from ridotto.core.luck import LuckJudge
from ridotto.core.match import Match
from ridotto.core.view import View
from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import Seat, Target

BOT: Final = "search:2000"
MOST_RANKED: Final = 3
"""The number of actions of an opinion in a judgement, the best first, besides the one that was played."""
FEW_VISITS: Final = 40
"""With fewer visits than this of the action that was played, a second search explores more."""
CLOSER_C_PUCT: Final = 8000
"""The `c_puct` of that second search, in thousandths."""
CHECKER: Final = "greedy"
"""The bot that plays the continuations for checking a loss."""
CHECKS: Final = 200
"""The pairs of continuations of such a check."""
COSTLY: Final = 0.04
"""The least loss of a decision that is called costly."""


class NoReview(RidottoError, ValueError):
    """A review that cannot be made or read."""


def calibrated(game: Game, value: float) -> float:
    """A predicted share of the win, corrected by the game's calibration."""
    curve = game.tuning.calibration.curve
    return value if curve is None else interpolate(curve, value)


def interpolate(curve: Sequence[float], value: float) -> float:
    """The value of a curve at a point from 0 to 1, by linear interpolation between its equally spaced points.

    >>> interpolate((0.0, 0.25, 1.0), 0.75)
    0.625
    """
    at = min(max(value, 0.0), 1.0) * (len(curve) - 1)
    low = min(int(at), len(curve) - 2)
    return curve[low] + (curve[low + 1] - curve[low]) * (at - low)


def chances(game: Game, values: Sequence[float]) -> tuple[float, ...]:
    """The calibrated share of the win of every seat; their sum stays the same."""
    corrected = [calibrated(game, value) for value in values]
    whole, before = sum(corrected), sum(values)
    return tuple(one * before / whole if whole else 0.0 for one in corrected)


@dataclass(frozen=True)
class Judgement:
    """A decision, and a bot's opinion from the view of the seat that made it."""

    ply: int
    seat: Seat
    action: int
    values: tuple[float, ...]
    """Every seat's share of the win before the decision, from the view of this seat."""
    ranked: tuple[Ranked, ...]
    """The best actions, and the one that was played."""
    playouts: int
    hidden: bool = False
    reply: Reply | None = None
    compared: Comparison | None = None
    """The tables that the best action and the one that was played lead to; None where the decision was not costly."""
    checked: float | None = None
    """The gain of the best action in paired continuations; None where the decision did not look costly."""

    @property
    def best(self) -> Ranked:
        return self.ranked[0]

    @property
    def played(self) -> Ranked:
        return next(one for one in self.ranked if one.action == self.action)

    @property
    def loss(self) -> float:
        """The estimated share of the win that the decision gave away: the smaller of two estimates."""
        difference = self.best.value - self.played.value
        return max(0.0, difference if self.checked is None else min(difference, self.checked))

    @property
    def loss_margin(self) -> float:
        """The largest standard error of the loss, from which sentences about its certainty follow."""
        return opinion.margin(self.best, self.played)

    @property
    def least_loss(self) -> float:
        """The loss less its standard error: in five cases out of six, at least this much was given away."""
        return max(0.0, self.loss - self.loss_margin)

    @property
    def counted_loss(self) -> float:
        """The loss for accounts: 0 if it is within its standard error."""
        return self.loss if self.least_loss else 0.0

    @property
    def opinion(self) -> Opinion:
        return Opinion(self.values, self.ranked, self.playouts, self.hidden, self.reply)

    def json(self) -> dict[str, Any]:
        reply = self.reply and {"seat": self.reply.seat, "action": self.reply.action, "row": list(self.reply.row)}
        return {
            "ply": self.ply,
            "seat": self.seat,
            "action": self.action,
            "values": [round(value, 4) for value in self.values],
            "ranked": [[one.action, one.visits, round(one.value, 4), round(one.share, 4)] for one in self.ranked],
            "playouts": self.playouts,
            "hidden": self.hidden,
            "reply": reply,
            "compared": self.compared and self.compared.json(),
            "checked": None if self.checked is None else round(self.checked, 4),
        }


Piece = Callable[[View, Target], Any]
"""A slow part of a judgement, such as a search. It can be sent to another process."""


def judge(
    view: View,
    ply: int,
    action: int,
    bot: str = BOT,
    seed: int = 0,
    target: Target = "cpu",
    *,
    checks: int = CHECKS,
    with_reasons: bool = True,
) -> Judgement:
    """The judgement of an action, from the view of the seat that chose it."""
    pieces = judge_in_pieces(view, ply, action, bot, seed, target, checks=checks, with_reasons=with_reasons)
    piece = next(pieces)
    while True:
        try:
            piece = pieces.send(piece(view, target))
        except StopIteration as end:
            judgement: Judgement = end.value
            return judgement


def judge_in_pieces(
    view: View,
    ply: int,
    action: int,
    bot: str = BOT,
    seed: int = 0,
    target: Target = "cpu",
    *,
    checks: int = CHECKS,
    with_reasons: bool = True,
) -> Generator[Piece, Any, Judgement]:
    """The same as a generator of pieces: the caller runs each piece and sends its result back."""
    assert view.seat is not None
    thinker = find(bot)
    opinion: Opinion | None = yield partial(_think, bot=bot, seed=seed)
    if opinion is None:
        raise NoReview(f"{bot} has no opinion; a review needs one that searches, such as {BOT}")
    played = next(one for one in opinion.ranked if one.action == action)
    if played.visits < FEW_VISITS and isinstance(thinker, Search):
        closer: dict[int, Ranked] = yield partial(_closer_look, bot=bot, seed=seed + 1)
        again = closer[action]
        if again.visits > played.visits:
            played = replace(played, visits=again.visits, value=again.value)
    ranked = [played if one.action == action else one for one in opinion.ranked]
    shortened = ranked[:MOST_RANKED] + [one for one in ranked[MOST_RANKED:] if one.action == action]
    game = view.game
    fair = tuple(replace(one, value=calibrated(game, one.value)) for one in shortened)
    values = chances(game, opinion.values)
    made = Judgement(ply, view.seat, action, values, fair, opinion.playouts, opinion.hidden, opinion.reply)
    if made.counted_loss and target != "python":
        # The first search has named the best action of many by its own dice, so its estimate alone would be too high: what the
        # decision cost is looked at again, by paired continuations and by a second search; the smaller of the two counts.
        best = made.best.action
        better, played_on = yield partial(_continue, actions=(best, action), pairs=checks, seed=seed)
        cost = better - played_on
        if cost > 0 and isinstance(thinker, Search):
            closer = yield partial(_closer_look, bot=bot, seed=seed + 2)
            cost = min(cost, calibrated(game, closer[best].value) - calibrated(game, closer[action].value))
        made = replace(made, checked=cost)
    if made.least_loss < COSTLY or not with_reasons:
        return made
    compared: Comparison = yield partial(_compare, better=made.best.action, played=action, seed=seed)
    return replace(made, compared=compared)


def _think(view: View, target: Target, bot: str, seed: int) -> Opinion | None:
    """A bot's opinion."""
    return find(bot).opinion(view, Budget(seed, target=target))


def _closer_look(view: View, target: Target, bot: str, seed: int) -> dict[int, Ranked]:
    """The actions in the opinion of a search that explores more."""
    thinker = find(bot)
    assert isinstance(thinker, Search)
    closer = replace(thinker, settings=replace(thinker.settings_for(view.game), c_puct=CLOSER_C_PUCT))
    return {one.action: one for one in closer.opinion(view, Budget(seed, target=target)).ranked}


def _continue(view: View, target: Target, actions: tuple[int, int], pairs: int, seed: int) -> tuple[float, float]:
    """The shares of the win after two actions in paired continuations."""
    return paired(view, actions, CHECKER, pairs, seed, target)


def _compare(view: View, target: Target, better: int, played: int, seed: int) -> Comparison:
    """The tables after two actions."""
    return compare(view, better, played, seed=seed, target=target)


def warm(game: Game) -> None:
    """Compile and load everything that reviews need besides bots; it is the same at every number of seats."""
    match = Match(game, game.seats[0], seed=1)
    view = match.view(match.to_act[0])
    _closer_look(view, "cpu", "search:1", 0)
    _continue(view, "cpu", (view.legal[0], view.legal[0]), 1, 0)
    _compare(view, "cpu", view.legal[0], view.legal[0], 0)
    judge = LuckJudge(game, match.seats, match.options, playouts=1)
    judge.draws_of(match, 0)
    judge.start(1)
    judge.worth(match.row)
