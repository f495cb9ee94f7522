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

from bisect import bisect_right
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from html import escape
from typing import Any, Final

from ridotto.bots import OPTIONAL_BOTS, Budget, Opinion, Ranked, Reply, Search, find, opinion
from ridotto.bots.continuations import paired
from ridotto.bots.reasons import Comparison, boards, compare
from ridotto.core.game import Game
from ridotto.core.luck import Judge as LuckJudge
from ridotto.core.luck import MatchLuck, plies_of, start_of
from ridotto.core.match import Match
from ridotto.core.view import View
from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import Seat, Target
from ridotto.present import narrator, views
from ridotto.present import svg as drawing
from ridotto.present.narrator import clean_name, opening, stage_name
from ridotto.present.svg import Panel, tag, write
from ridotto.present.ui import ui
from ridotto.present.words import Words

BOT: Final = "search:2000"
FORMAT: Final = "ridotto review"
KEPT_ACTIONS: Final = 3
"""How many actions of an opinion are kept, the best first; the one that was played is always kept."""
FEW_VISITS: Final = 40
"""With fewer visits than this of the action that was played, a second search explores more."""
CLOSER_C_PUCT: Final = 8000
"""The `c_puct` of that second search, in thousandths."""
LUCK_PLAYOUTS: Final = 64
"""Of which the worth of a position is the mean, for the luck of one match."""
CHECKER: Final = "greedy"
"""Who plays on to check what a decision cost."""
CHECKS: Final = 200
"""Pairs of continuations of such a check."""
COSTLY: Final = 0.04
"""The least loss of a decision that is called costly."""
KINDS: Final = frozenset(("random", "greedy", "search", "trusting", "level", "cmd", *OPTIONAL_BOTS))
"""What names of bots begin with, up to the colon."""
MOST_COSTLY: Final = 5
"""How many decisions at most are called the costliest."""


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
    found = [calibrated(game, value) for value in values]
    whole, before = sum(found), sum(values)
    return tuple(one * before / whole if whole else 0.0 for one in found)


# One decision.


@dataclass(frozen=True)
class Judgement:
    """A decision, and what a bot thinks of it from the view of the seat that made it."""

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
    """How much more the best action brought in paired continuations; None where the decision did not look costly."""

    @property
    def best(self) -> Ranked:
        return self.ranked[0]

    @property
    def played(self) -> Ranked:
        return next(one for one in self.ranked if one.action == self.action)

    @property
    def loss(self) -> float:
        """The estimated loss: how much of the win the decision gave away; of two estimates the smaller one."""
        found = self.best.value - self.played.value
        return max(0.0, found if self.checked is None else min(found, self.checked))

    @property
    def loss_margin(self) -> float:
        """The standard error of the loss, at the most: what is said about how sure the loss is follows from it, too."""
        return opinion.margin(self.best, self.played)

    @property
    def least_loss(self) -> float:
        """The loss less its standard error: in five cases out of six, at least this much was given away."""
        return max(0.0, self.loss - self.loss_margin)

    @property
    def counted_loss(self) -> float:
        """The loss as an account counts it: nothing where the decision is about as good as the best, as far as can be told."""
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


Piece = Callable[[View, Target], Any]
"""A part of a judgement that takes a moment: a search, say. It can be sent to another process."""


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
    """What a bot thinks of an action, from the view of the seat that chose it."""
    pieces = judging(view, ply, action, bot, seed, target, checks=checks, with_reasons=with_reasons)
    piece = next(pieces)
    while True:
        try:
            piece = pieces.send(piece(view, target))
        except StopIteration as end:
            judgement: Judgement = end.value
            return judgement


def judging(
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
    """The same in pieces, for whoever has other things to do between them: each is to be done and its answer sent back."""
    assert view.seat is not None
    thinker = find(bot)
    found: Opinion | None = yield partial(_think, bot=bot, seed=seed)
    if found is None:
        raise NoReview(f"{bot} has no opinion; a review needs one that searches, such as {BOT}")
    played = next(one for one in found.ranked if one.action == action)
    if played.visits < FEW_VISITS and isinstance(thinker, Search):
        closer: dict[int, Ranked] = yield partial(_closer_look, bot=bot, seed=seed + 1)
        again = closer[action]
        if again.visits > played.visits:
            played = replace(played, visits=again.visits, value=again.value)
    ranked = [played if one.action == action else one for one in found.ranked]
    kept = ranked[:KEPT_ACTIONS] + [one for one in ranked[KEPT_ACTIONS:] if one.action == action]
    game = view.game
    fair = tuple(replace(one, value=calibrated(game, one.value)) for one in kept)
    made = Judgement(ply, view.seat, action, chances(game, found.values), fair, found.playouts, found.hidden, found.reply)
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
    """What a bot thinks."""
    return find(bot).opinion(view, Budget(seed, target=target))


def _closer_look(view: View, target: Target, bot: str, seed: int) -> dict[int, Ranked]:
    """What a search thinks of every action that explores more."""
    thinker = find(bot)
    assert isinstance(thinker, Search)
    closer = replace(thinker, settings=replace(thinker.settings_for(view.game), c_puct=CLOSER_C_PUCT))
    return {one.action: one for one in closer.opinion(view, Budget(seed, target=target)).ranked}


def _continue(view: View, target: Target, actions: tuple[int, int], pairs: int, seed: int) -> tuple[float, float]:
    """What two actions bring in paired continuations."""
    return paired(view, actions, CHECKER, pairs, seed, target)


def _compare(view: View, target: Target, better: int, played: int, seed: int) -> Comparison:
    """The tables that two actions lead to."""
    return compare(view, better, played, seed=seed, target=target)


def warm(game: Game) -> None:
    """Compile and load what a review needs besides what bots need, at every number of seats the same."""
    match = Match(game, game.seats[0], seed=1)
    view = match.view(match.to_act[0])
    _closer_look(view, "cpu", "search:1", 0)
    _continue(view, "cpu", (view.legal[0], view.legal[0]), 1, 0)
    _compare(view, "cpu", view.legal[0], view.legal[0], 0)
    judge = LuckJudge(game, match.seats, match.options, playouts=1)
    judge.draws_of(match, 0)
    judge.start(1)
    judge.worth(match.row)


# A whole match.


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


# In words.


@dataclass(frozen=True)
class ExplainedDecision:
    """A decision in words: what was done, what would have been better, what it cost, and why."""

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
    """Where the match turned, as a sentence."""
    one = made.turning_point
    if one is None:
        return words.say("No single move decided the match.")
    told = explain(match, words, one)
    what = words.say(
        "{who} – {played}. Better: {better} ({points} more).",
        who=told.who,
        played=told.did,
        better=told.better,
        points=narrator.percent(round(100 * one.loss)),
    )
    if told.round is None:
        return words.say("The turning point: {what}", what=what)
    return words.say("The turning point, in round {round}: {what}", round=told.round, what=what)


def cost(words: Words, one: Judgement) -> str:
    """What a decision cost, in words."""
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
    found = []
    for seat, name in enumerate(given):
        if name.partition(":")[0] in KINDS:
            found.append(stage_name(seat))
        else:
            found.append("" if name in ("you", f"seat {seat}") else clean_name(name))
    return found


def round_of(match: Match, ply: int) -> int | None:
    """The round in which an entry was made; None where the game has no rounds."""
    at = match.rules.ROUND
    return int(match.row_after(max(0, ply - 1))[at]) if at >= 0 else None


def summary(match: Match, words: Words, made: Review) -> list[str]:
    """How every seat has played, as one sentence each."""
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


# The picture.

LEFT, TOP, BOTTOM = 46, 34, 44
DASHES: Final = ("", "9 4", "2 4", "12 4 2 4", "5 5", "14 3 2 3 2 3")
STYLE: Final = """
.grid { stroke: $brass; stroke-width: 0.6; stroke-opacity: 0.55; }
.rounds { stroke: $brass; stroke-width: 0.6; stroke-dasharray: 2 5; }
.chance0 { stroke: $seat0; } .chance1 { stroke: $seat1; } .chance2 { stroke: $seat2; }
.chance3 { stroke: $seat3; } .chance4 { stroke: $seat4; } .chance5 { stroke: $seat5; }
.chance { fill: none; stroke-width: 2.6; stroke-linejoin: round; }
.slip { fill: $plush; stroke: $bad; stroke-width: 2; }
.here { stroke: $glow; stroke-width: 2; }
.slipped { fill: $bad; font-weight: 700; }
"""


def picture(
    match: Match,
    words: Words,
    made: Review,
    link: Callable[[int], str] | None = None,
    here: int | None = None,
    narrow: bool = False,
) -> Panel:
    """Win chances over time, each seat's from its own view at its decisions; the costliest decisions are numbered."""
    wide, high, right = (360, 280, 18) if narrow else (720, 320, 92)
    last = max(1, made.plies)

    def x(ply: float) -> float:
        return LEFT + (wide - LEFT - right) * ply / last

    def y(share: float) -> float:
        return TOP + (high - TOP - BOTTOM) * (1 - share)

    parts: list[str] = [tag("rect", width=wide, height=high, rx=10, cls="panel")]
    for percent in (0, 25, 50, 75, 100):
        level = y(percent / 100)
        parts.append(tag("line", x1=LEFT, x2=wide - right, y1=level, y2=level, cls="grid"))
        parts.append(write(str(percent), LEFT - 8, level + 5, 14, cls="quiet", anchor="end"))
    parts += _rounds(match, words, x, high)
    if here is not None:
        parts.append(tag("line", x1=x(here), x2=x(here), y1=TOP - 6, y2=high - BOTTOM, cls="here"))
    ends: list[tuple[float, Seat]] = []
    for seat in range(match.seats):
        points = [(one.ply, one.values[seat]) for one in made.of_seat(seat)]
        if not points:
            continue
        if made.result is not None:
            points.append((last, made.result[seat]))
        path = "M" + " L".join(f"{x(ply):.1f} {y(share):.1f}" for ply, share in points)
        parts.append(tag("path", d=path, stroke_dasharray=DASHES[seat], cls=f"chance chance{seat}"))
        ends.append((y(points[-1][1]), seat))
    # The marks are at the ends of the lines, moved down where they would overlap; names are beside them if there is room.
    below = TOP - 20.0
    for level, seat in sorted(ends):
        below = max(level, below + 20)
        parts.append(drawing.seat_mark(seat, wide - right + (8 if narrow else 14), below, 13))
        if not narrow:
            parts.append(
                write(name_of(match, words, seat), wide - right + 25, below + 5, 14, anchor="start", within=right - 28)
            )
    for number, one in enumerate(made.costliest, 1):
        parts.append(_slip(match, words, one, number, x(one.ply), y(one.values[one.seat]), link))
    title = words.say("Win chances over time")
    parts.append(write(title, LEFT, TOP - 12, 16, cls="title", anchor="start"))
    return Panel("narrow-chances" if narrow else "wide-chances", title, wide, high, "".join(parts))


def _slip(
    match: Match, words: Words, one: Judgement, number: int, x: float, y: float, link: Callable[[int], str] | None
) -> str:
    """The number of a costly decision, on the line of its seat."""
    text = f"{number}. {name_of(match, words, one.seat)}: {cost(words, one)}"
    inside = [tag("title", text), tag("circle", cx=x, cy=y, r=11, cls="slip"), write(str(number), x, y + 5, 14, cls="slipped")]
    return tag("a", *inside, href=link(one.ply), aria_label=text) if link else tag("g", *inside)


def _rounds(match: Match, words: Words, x: Callable[[float], float], high: int) -> list[str]:
    """Where rounds begin; nothing where the game has none."""
    if match.rules.ROUND < 0:
        return []
    parts, before, free = [], None, 0.0
    for ply in match.line:
        now = int(match.row_after(ply)[match.rules.ROUND])
        if now != before:
            at = x(ply)
            parts.append(tag("line", x1=at, x2=at, y1=TOP, y2=high - BOTTOM, cls="rounds"))
            if at >= free:
                parts.append(write(str(now), at + 3, high - BOTTOM + 18, 14, cls="quiet", anchor="start"))
                free = at + 26
            before = now
    parts.append(write(words.say("round"), LEFT, high - 8, 14, cls="quiet", anchor="start"))
    return parts


BARS: Final = "▁▂▃▄▅▆▇█"


def sparkline(made: Review, seat: Seat, width: int = 60) -> str:
    """A seat's chances over time as a line of blocks."""
    points = [(one.ply, one.values[seat]) for one in made.of_seat(seat)]
    if not points:
        return ""
    plies = [ply for ply, _ in points]
    line = ""
    for column in range(width):
        at = max(0, bisect_right(plies, made.plies * column / width) - 1)
        line += BARS[min(7, int(8 * points[at][1]))]
    return line


# The report as a page.

PAGE_STYLE: Final = (
    f"""
body {{ font-family: {drawing.SANS}; }}
h1, h2, h3 {{ font-family: {drawing.SERIF}; }}
"""
    + """
body { margin: 0; background: $velvet; color: $ink; font-size: 17px; line-height: 1.5; }
main { max-width: 56rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1, h2, h3 { color: $gilt; font-weight: 600; line-height: 1.2; }
svg { width: 100%; height: auto; }
article { background: $plush; border: 1px solid $brass; border-radius: 10px; padding: 0.4rem 1rem 1rem; margin: 1rem 0; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 0.25rem 0.6rem; border-bottom: 1px solid $brass; vertical-align: top; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 0.1rem 0.9rem; margin: 0.8rem 0; }
dt { font-weight: 700; } dd { margin: 0; }
.boards { display: grid; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)); gap: 0.6rem; } figure { margin: 0; }
.quiet { color: $ash; } .bad { color: $bad; } .good { color: $good; }
"""
)


def page(match: Match, words: Words, made: Review, theme: str = "dark", account: str = "") -> str:
    """The whole review as one self-contained HTML page; `account` is the part about luck, as HTML."""
    title = words.say("{title}: review", title=match.game.title)
    drawn = ui(match.game).picture
    parts = [f"<h1>{escape(title)}</h1>", f"<p>{escape(turning_point(match, words, made))}</p>"]
    parts.append(f"<p class=quiet>{escape(note(words, made))}</p>")
    panel = picture(match, words, made)
    parts.append(drawing.compose([panel], [[panel.name]], STYLE, theme))
    parts.append("<ul>" + "".join(f"<li>{escape(line)}</li>" for line in summary(match, words, made)) + "</ul>")
    parts.append(f"<h2>{escape(heading(words, made))}</h2>")
    for number, one in enumerate(made.costliest, 1):
        found = explain(match, words, one)
        view = view_at(match, one.ply)
        table = drawing.compose(ui(match.game).panels(view, words), drawn.COLUMNS, drawn.STYLE, theme)
        lines = "".join(f"<li>{escape(reason)}</li>" for reason in found.reasons)
        saw = words.say("The table at that moment, as far as it could be seen")
        small = _small_boards(words, found, boards(view, words, one.compared), drawn.STYLE, theme)
        parts.append(
            f"<article><h3>{number}. {escape(title_of(words, found))}</h3>{_moves(words, found)}{small}"
            f"<ul class=quiet>{lines}</ul><details><summary>{escape(saw)}</summary>{table}</details></article>"
        )
    parts.append(account)
    parts.append(f"<h2>{escape(words.say('Every decision'))}</h2>{_list(match, words, made)}")
    style = drawing.sheet(PAGE_STYLE, theme)
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    return (
        f'<!DOCTYPE html>\n<html lang="{words.narrator.language}"><head>{head}<style>{style}</style></head>'
        f"<body><main>{''.join(parts)}</main></body></html>\n"
    )


def _small_boards(words: Words, found: ExplainedDecision, shown: list[list[Panel]], style: str, theme: str) -> str:
    """The table before a decision, after what was played and after what was better, side by side."""
    if len(shown) < 2:
        return ""
    titles = [words.say("Before"), found.did, found.better]
    figures = [
        f"<figure><figcaption>{escape(title)}</figcaption>"
        f"{drawing.compose(panels, [[panel.name for panel in panels]], style, theme)}</figure>"
        for title, panels in zip(titles, shown, strict=True)
    ]
    return f"<div class=boards>{''.join(figures)}</div>"


def note(words: Words, made: Review) -> str:
    """Which bot has judged, and by what knowledge."""
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


def _moves(words: Words, explained: ExplainedDecision) -> str:
    """What was played, and what would have been better."""
    lines = {words.say("Played"): explained.did} | ({words.say("Better"): explained.better} if explained.better else {})
    return f"<dl>{''.join(f'<dt>{escape(name)}<dd>{escape(text)}' for name, text in lines.items())}</dl>"


def _list(match: Match, words: Words, made: Review) -> str:
    say = words.say
    titles = [say("ply"), say("who"), say("played"), say("better"), say("chance before"), say("cost")]
    rows = []
    for one in made.judgements:
        found = explain(match, words, one)
        chance, lost = round(100 * one.values[one.seat]), round(100 * one.loss)
        cells = [escape(text) for text in (found.who, found.did, found.better)]
        rows.append(
            f"<tr><td class=number>{one.ply}</td>{''.join(f'<td>{cell}</td>' for cell in cells)}"
            f"<td class=number>{chance}</td><td class=number>{lost or ''}</td></tr>"
        )
    return f"<table><tr>{''.join(f'<th>{escape(text)}</th>' for text in titles)}</tr>{''.join(rows)}</table>"


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
