"""The account of a match: each seat's luck, the gain from decisions, and the rest, from the start to the result.

For every seat *luck + own decisions + decisions of others + the rest = result − start*. Luck is that of all draws
(`ridotto.core.luck`). A decision costs its seat the loss of its review, by the knowledge of that seat; the others get
that, in proportion to their chances. The rest is explained by neither: secrets that the deciding seat did not know, and errors
of the judge. docs/luck.md has the method and its error.

>>> from ridotto.bots.review import Review
>>> from ridotto.core.luck import Draw, MatchLuck
>>> made = Review("fantome", 2, 2, "none", (), (1.0, 0.0), MatchLuck((0.5, 0.5), (Draw(1, 0, 2, 0, (0.2, -0.2)),)))
>>> one = account(made)[0]
>>> one.luck, one.own, one.others, round(one.rest, 9), one.without_luck
(0.2, 0, 0, 0.3, 0.8)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Final

from ridotto.bots import review_page, review_words
from ridotto.bots.judging import Judgement
from ridotto.bots.review import Review
from ridotto.core.draws import other_events
from ridotto.core.match import Match
from ridotto.engine.fields import Seat
from ridotto.present import svg as drawing
from ridotto.present.composition import one_column
from ridotto.present.narrator import opening
from ridotto.present.svg import Panel, tag, write
from ridotto.present.ui import ui
from ridotto.present.words import Words

SENTENCES: Final = 2
"""The most sentences about one entry's draws."""
OTHER_DRAWS: Final = 6
"""The repetitions of an entry with other draws, to see which of its events depend on them."""
LEAST_REPORTED: Final = 0.02
"""The least luck of an entry that is reported."""


@dataclass(frozen=True)
class SeatAccount:
    """A seat's shares of the win at the start and in the end, and the parts of the difference."""

    start: float
    luck: float
    own: float
    """The gain from the seat's own decisions: never more than zero."""
    others: float
    """The gain from the decisions of others."""
    result: float

    @property
    def decisions(self) -> float:
        return self.own + self.others

    @property
    def rest(self) -> float:
        """The part explained by neither luck nor decisions."""
        return self.result - self.start - self.luck - self.decisions

    @property
    def without_luck(self) -> float:
        """The result, less the luck."""
        return self.result - self.luck


def decision_gains(one: Judgement) -> tuple[float, ...]:
    """Each seat's gain from a decision: the loss of the seat that decided goes to the others, in proportion to their chances.

    >>> from ridotto.bots import Ranked
    >>> ranked = Ranked(1, 900, 0.6, 1.0), Ranked(2, 900, 0.5, 0.0)
    >>> [round(share, 3) for share in decision_gains(Judgement(4, 1, 2, (0.3, 0.6, 0.1), ranked, 1800))]
    [0.075, -0.1, 0.025]
    """
    seats, lost = range(len(one.values)), one.counted_loss
    weights = [one.values[seat] for seat in seats]
    if not any(weights[seat] for seat in seats if seat != one.seat):
        weights = [1.0 for _ in seats]
    whole = sum(weights[seat] for seat in seats if seat != one.seat)
    return tuple(-lost if seat == one.seat else lost * weights[seat] / whole for seat in seats)


def account(made: Review) -> list[SeatAccount]:
    """The accounts of all seats of a finished match; none if the review has no luck, or the match goes on."""
    if made.luck is None or made.result is None:
        return []
    accounts = []
    for seat in range(made.seats):
        gains = [(one.seat == seat, decision_gains(one)[seat]) for one in made.judgements]
        own, others = (sum(gain for is_own, gain in gains if is_own is wanted) for wanted in (True, False))
        luck = sum(draw.luck[seat] for draw in made.luck.draws)
        accounts.append(SeatAccount(made.luck.start[seat], luck, own, others, made.result[seat]))
    return accounts


def luck_by_ply(made: Review) -> dict[int, tuple[float, ...]]:
    """The luck of each seat at each entry that has draws."""
    by_ply: dict[int, tuple[float, ...]] = {}
    for draw in made.luck.draws if made.luck else ():
        before = by_ply.get(draw.ply, (0.0,) * made.seats)
        by_ply[draw.ply] = tuple(one + more for one, more in zip(before, draw.luck, strict=True))
    return by_ply


def luckiest(made: Review, most: int = 5) -> list[tuple[Seat, int, float]]:
    """The entries with the most luck for a seat: the seat, the ply and the luck."""
    best = [(max(range(made.seats), key=lambda seat: luck[seat]), ply, luck) for ply, luck in luck_by_ply(made).items()]
    lucky = [(seat, ply, luck[seat]) for seat, ply, luck in best if luck[seat] >= LEAST_REPORTED]
    return sorted(lucky, key=lambda one: (-one[2], one[1]))[:most]


# In words.


def signed(points: float) -> str:
    """A part of the win in hundredths, with its sign.

    >>> signed(0.094), signed(-0.2), signed(-0.001)
    ('+9', '−20', '0')
    """
    whole = round(100 * points)
    return f"{whole:+d}".replace("-", "−") if whole else "0"


def titles(words: Words) -> list[str]:
    """The titles of `numbers`."""
    say = words.say
    return [say("start"), say("luck"), say("own decisions"), say("others' decisions"), say("the rest"), say("result")]


def numbers(one: SeatAccount) -> list[str]:
    """An account in rounded hundredths that still add up."""
    parts = [round(100 * part) for part in (one.luck, one.own, one.others)]
    start, result = round(100 * one.start), round(100 * one.result)
    rest = result - start - sum(parts)
    return [str(start), *(signed(part / 100) for part in (*parts, rest)), str(result)]


def lucky_lines(match: Match, words: Words, made: Review) -> list[tuple[int, str]]:
    """The luckiest draws, each with its ply."""
    return [(ply, _lucky_line(match, words, seat, ply, points)) for seat, ply, points in luckiest(made)]


def _lucky_line(match: Match, words: Words, seat: Seat, ply: int, points: float) -> str:
    who = words.say("you") if words.is_reader(seat) else ui(match.game).player(seat, words)
    what = _drawn_in_words(match, words, ply, seat)
    return opening(words.say("{who} {points} in 100: {what}", who=who, points=signed(points), what=what))


def sum_sentence(match: Match, words: Words, made: Review) -> str:
    """One sentence about the winner's luck and decisions; "" without an account or a single winner."""
    accounts = account(made)
    winners = [seat for seat, one in enumerate(accounts) if one.result > 0]
    if len(winners) != 1:
        return ""
    one = accounts[winners[0]]
    return words.tell(
        winners[0],
        "You won: luck {luck} in 100, your own decisions {own}, those of others {given}.",
        "{who} won: luck {luck} in 100, own decisions {own}, those of others {given}.",
        luck=signed(one.luck),
        given=signed(one.others),
        own=signed(one.own),
    )


def document(made: Review) -> list[dict[str, float]]:
    """The account as JSON for other programs."""
    return [
        {
            "start": one.start,
            "luck": one.luck,
            "own_decisions": one.own,
            "others_decisions": one.others,
            "rest": one.rest,
            "result": one.result,
            "without_luck": one.without_luck,
        }
        for one in account(made)
    ]


def html(match: Match, words: Words, made: Review, theme: str = "dark") -> str:
    """The account as a part of a page."""
    accounts = account(made)
    if not accounts:
        return ""
    head = "".join(f"<th>{escape(title)}</th>" for title in ("", *titles(words)))
    rows = "".join(
        f"<tr><td>{escape(review_words.name_of(match, words, seat))}</td>"
        + "".join(f"<td class=number>{number}</td>" for number in numbers(one))
        + "</tr>"
        for seat, one in enumerate(accounts)
    )
    panel = picture(match, words, made)
    drawn = drawing.compose([panel], one_column([panel]), STYLE, theme)
    lines = "".join(f"<li>{escape(line)}</li>" for _, line in lucky_lines(match, words, made))
    summed = escape(sum_sentence(match, words, made))
    title = escape(words.say("Luck and decisions"))
    return f"<h2>{title}</h2><p>{summed}</p><table><tr>{head}</tr>{rows}</table>{drawn}<ul>{lines}</ul>"


# The picture.

LEFT, TOP, STRIP, GAP = 46, 34, 96, 12
STYLE: Final = """
.zero { stroke: $brass; stroke-width: 1; }
.luck-line { fill: none; stroke: $gilt; stroke-width: 2.6; stroke-linejoin: round; }
.skill-line { fill: none; stroke: $glow; stroke-width: 2.6; stroke-dasharray: 7 4; stroke-linejoin: round; }
"""


def over_time(made: Review, seat: Seat) -> tuple[list[tuple[int, float]], list[tuple[int, float]]]:
    """A seat's sums of luck, and of gains from decisions, after each ply."""
    return (
        _sums((ply, luck[seat]) for ply, luck in sorted(luck_by_ply(made).items())),
        _sums((one.ply, decision_gains(one)[seat]) for one in made.judgements),
    )


def _sums(changes: Any) -> list[tuple[int, float]]:
    total, sums = 0.0, [(0, 0.0)]
    for ply, change in changes:
        total += change
        sums.append((ply, total))
    return sums


def picture(match: Match, words: Words, made: Review, narrow: bool = False) -> Panel:
    """Luck and decisions over time, added up: a strip for each seat."""
    wide, right = (360, 14) if narrow else (720, 14)
    high = TOP + made.seats * (STRIP + GAP) + 26
    last = max(1, made.plies)
    lines = [over_time(made, seat) for seat in range(made.seats)]
    most = max([0.1, *(abs(share) for pair in lines for line in pair for _, share in line)])

    def x(ply: float) -> float:
        return LEFT + (wide - LEFT - right) * ply / last

    title = words.say("Luck and decisions over time, in 100")
    parts: list[str] = [tag("rect", width=wide, height=high, rx=10, cls="panel")]
    parts.append(write(title, LEFT, TOP - 12, 16, cls="title", anchor="start", within=wide - LEFT - right))
    for seat, pair in enumerate(lines):
        middle = TOP + seat * (STRIP + GAP) + STRIP / 2
        parts.append(drawing.seat_mark(seat, 22, middle, 13))
        parts.append(tag("line", x1=LEFT, x2=wide - right, y1=middle, y2=middle, cls="zero"))
        for level, text in ((most, signed(most)), (-most, signed(-most))):
            parts.append(write(text, LEFT - 4, middle - level / most * (STRIP / 2 - 8) + 5, 12, cls="quiet", anchor="end"))
        for line, look in zip(pair, ("luck-line", "skill-line"), strict=True):
            parts.append(
                tag("path", d=_steps([(x(ply), _level(share, most, middle)) for ply, share in line], x(last)), cls=look)
            )
    foot = high - 12
    for at, look, text in ((LEFT, "luck-line", words.say("luck")), (LEFT + 120, "skill-line", words.say("decisions"))):
        parts.append(tag("path", d=f"M{at} {foot - 4}h26", cls=look))
        parts.append(write(text, at + 34, foot, 14, anchor="start"))
    return Panel("narrow-luck" if narrow else "wide-luck", title, wide, high, "".join(parts))


def _level(share: float, most: float, middle: float) -> float:
    return middle - share / most * (STRIP / 2 - 8)


def _steps(points: Sequence[tuple[float, float]], end: float) -> str:
    """A line that changes at its points and stays between them."""
    (x, y), *others = points
    return f"M{x:.1f} {y:.1f}" + "".join(f"H{x:.1f}V{y:.1f}" for x, y in others) + f"H{end:.1f}"


def strip(made: Review, seat: Seat, width: int = 60) -> str:
    """A seat's luck over time as a line of blocks; the middle height is zero."""
    luck, decisions = over_time(made, seat)
    most = max([0.1, *(abs(share) for line in (luck, decisions) for _, share in line)])
    blocks = ""
    for column in range(width):
        share = [total for ply, total in luck if ply <= made.plies * column / width][-1]
        blocks += review_page.BARS[min(7, int(4 + 4 * share / most))]
    return blocks


def _drawn_in_words(match: Match, words: Words, ply: int, seat: Seat) -> str:
    """The draws of an entry, in words for one seat: the events it saw that depend on them, otherwise all it saw."""
    seen = [shown for one in match.events_of(ply) if (shown := one.seen_by(seat)) is not None]
    others = [
        [(shown.event.name, shown.values) for one in other_events(match, ply, seed) if (shown := one.seen_by(seat)) is not None]
        for seed in range(OTHER_DRAWS)
    ]
    drawn = [one for one in seen if not all((one.event.name, one.values) in other for other in others)]
    return " ".join(words.event(one) for one in (drawn or seen)[:SENTENCES]) or match.entries[ply].do
