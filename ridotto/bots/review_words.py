"""Reviews in words, for each reader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from ridotto.bots import OPTIONAL_BOTS, opinion
from ridotto.bots.judging import Judgement
from ridotto.bots.review import Review, view_at
from ridotto.core.match import Match
from ridotto.engine.fields import Seat
from ridotto.present import narrator, views
from ridotto.present.narrator import clean_name, opening, stage_name
from ridotto.present.ui import ui
from ridotto.present.words import Words

KINDS: Final = frozenset(("random", "greedy", "search", "trusting", "level", "cmd", *OPTIONAL_BOTS))
"""The beginnings of the names of bots, up to the colon."""


@dataclass(frozen=True)
class ExplainedDecision:
    """A decision in words: the action, a better one, the loss, and the reasons."""

    judgement: Judgement
    who: str
    round: int | None
    """None where the game has no rounds."""
    did: str
    better: str
    cost: str
    reasons: tuple[str, ...]


def explain(match: Match, words: Words, one: Judgement) -> ExplainedDecision:
    """A judgement in words."""
    view = view_at(match, one.ply, one.ply)
    labels = {action["id"]: action["label"] for action in views.actions(view, words)}
    best = "" if one.best.action == one.action else labels[one.best.action]
    return ExplainedDecision(
        one,
        name_of(match, words, one.seat),
        round_of(match, one.ply),
        labels[one.action],
        best,
        cost(words, one),
        (
            *(one.compared.reasons(words) if one.compared else ()),
            *opinion.reasons(view, words, one.opinion, played=one.action),
        ),
    )


def turning_point(match: Match, words: Words, made: Review) -> str:
    """A sentence about the turning point of the match."""
    one = made.turning_point
    if one is None:
        return words.say("No single move decided the match.")
    explained = explain(match, words, one)
    what = words.say(
        "{who} – {played}. Better: {better} ({points} more).",
        who=explained.who,
        played=explained.did,
        better=explained.better,
        points=narrator.percent(round(100 * one.loss)),
    )
    if explained.round is None:
        return words.say("The turning point: {what}", what=what)
    return words.say("The turning point, in round {round}: {what}", round=explained.round, what=what)


def cost(words: Words, one: Judgement) -> str:
    """The loss of a decision, in words."""
    if one.best.action == one.action:
        return words.say("the bot's first choice")
    points = round(100 * one.loss)
    if points < 1 or not one.counted_loss:
        return words.say("about as good as the bot's first choice")
    return words.say("cost about {points} winning chance", points=narrator.percent(points))


def name_of(match: Match, words: Words, seat: Seat) -> str:
    """A seat's player at the beginning of a line: "You" for the reader."""
    return opening(words.say("you") if words.is_reader(seat) else ui(match.game).player(seat, words))


def display_names(given: Sequence[str]) -> list[str]:
    """The display names of the players of a record: stage names for bots, "" for players without a name.

    >>> display_names(["Ada", "level:3", "seat 2", "you"])
    ['Ada', 'Rosina', '', '']
    """
    names = []
    for seat, name in enumerate(given):
        if name.partition(":")[0] in KINDS:
            names.append(stage_name(seat))
        else:
            names.append("" if name in ("you", f"seat {seat}") else clean_name(name))
    return names


def round_of(match: Match, ply: int) -> int | None:
    """The round in which an entry was made; None where the game has no rounds."""
    at = match.rules.ROUND
    return int(match.row_after(max(0, ply - 1))[at]) if at >= 0 else None


def resignation(match: Match, words: Words, made: Review) -> str:
    """The chance of whoever resigned, as it stood before their last decision; "" where nobody has, or nothing is known."""
    outcome = match.outcome
    if outcome is None or not outcome.is_resigned:
        return ""
    seat = next(one for one in range(match.seats) if one not in outcome.winners)
    mine = made.of_seat(seat)
    if not mine:
        return ""
    chance = narrator.percent(round(100 * mine[-1].values[seat]))
    return words.tell(
        seat,
        "You resigned at {chance}: your chance before your last decision, by what you knew.",
        "{who} resigned at {chance}: the chance before their last decision, by what they knew.",
        chance=chance,
    )


def summary(match: Match, words: Words, made: Review) -> list[str]:
    """A sentence about the decisions of each seat, and about a resignation."""
    resigned = resignation(match, words, made)
    return [*([resigned] if resigned else []), *_of_seats(match, words, made)]


def _of_seats(match: Match, words: Words, made: Review) -> list[str]:
    return [
        words.count(
            "{who}: {number} decision, {best} of them the bot's first choice. Average loss: {points} winning chance.",
            "{who}: {number} decisions, {best} of them the bot's first choice. Average loss: {points} winning chance.",
            len(mine),
            who=name_of(match, words, seat),
            best=sum(one.best.action == one.action for one in mine),
            points=narrator.percent(_tenths(words, 100 * made.mean_loss(seat))),
        )
        for seat in range(match.seats)
        if (mine := made.of_seat(seat))
    ]


def _tenths(words: Words, value: float) -> str:
    """A number with one decimal."""
    whole, tenths = divmod(round(10 * value), 10)
    return words.say("{whole}.{tenths}", whole=whole, tenths=tenths)


def note(words: Words, made: Review) -> str:
    """A sentence about the judging bot and its knowledge."""
    return words.say("Analysed by a bot that saw only what each player saw ({bot}).", bot=made.bot)


def heading(words: Words, made: Review) -> str:
    """The title above the costliest decisions."""
    if made.costliest:
        return words.say("The decisions that cost most")
    return words.say("No decision stands out as a mistake")


def title_of(words: Words, explained: ExplainedDecision) -> str:
    """The title of a decision in words."""
    if explained.round is None:
        return f"{explained.who}: {explained.cost}"
    return words.say("{who}, round {round}: {cost}", who=explained.who, round=explained.round, cost=explained.cost)


def document(match: Match, words: Words, made: Review) -> dict[str, Any]:
    """A review as JSON for other programs: the numbers, and the actions in notation."""
    actions = match.rules.ACTIONS
    listed = []
    for one in made.judgements:
        ranked = [
            {"action": actions.notation(r.action), "visits": r.visits, "value": r.value, "share": r.share} for r in one.ranked
        ]
        listed.append(
            {
                "ply": one.ply,
                "seat": one.seat,
                "round": round_of(match, one.ply),
                "played": actions.notation(one.action),
                "best": actions.notation(one.best.action),
                "chances": list(one.values),
                "loss": round(one.loss, 4),
                "at_least": round(one.least_loss, 4),
                "ranked": ranked,
                "reasons": list(explain(match, words, one).reasons),
            }
        )
    return {
        "game": made.game,
        "bot": made.bot,
        "result": made.result and list(made.result),
        "loss_by_seat": [round(made.mean_loss(seat), 4) for seat in range(match.seats)],
        "costliest": [one.ply for one in made.costliest],
        "decisions": listed,
    }
