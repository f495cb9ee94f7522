"""The budget table: everybody's marker, the bids, whom the table waits for, and answers without a thing on the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ridotto.core.view import View
from ridotto.engine.fields import Seat
from ridotto.games.opera import rules
from ridotto.games.opera.rules import A, F
from ridotto.games.opera.ui.picture.facts import MUTED, asks, letters, partial_row
from ridotto.games.opera.ui.picture.marks import BOLD, EDGE, FACT, head, note
from ridotto.games.opera.ui.words import Words
from ridotto.present.kit import Grid, circle, drawing, frame, halo, path, rect, token
from ridotto.present.scene import Item
from ridotto.present.svg import group, tag, write

WIDTH: Final = 270
HEIGHT: Final = 524
TALL: Final = 25
"""The height of a level."""
LEVELS: Final = Grid(1, WIDTH - 2 * EDGE, TALL, x=EDGE, y=39)
"""The levels, the highest first."""
NUMBER, COLUMN = 32, 33
"""The width of a level's number, and of a column of markers."""


def _top(level: int) -> float:
    """The top of a level of the budget table."""
    return LEVELS.place(rules.TOP_LEVEL - level)[1]


def board(words: Words) -> str:
    """The empty budget table."""
    parts = []
    for level in range(rules.TOP_LEVEL + 1):
        y = _top(level)
        parts.append(tag("rect", cls="level" if level % 2 else "level even", x=EDGE, y=y, width=LEVELS.wide, height=TALL))
        parts.append(write(str(level), EDGE + NUMBER / 2, y + TALL / 2 + 6, BOLD, cls="title bold"))
    tall = LEVELS.height(rules.TOP_LEVEL + 1)
    lines = "".join(f"M{EDGE + NUMBER + COLUMN * at} {LEVELS.y}v{tall}" for at in range(5))
    parts += [path(lines, "between"), tag("rect", cls="rule", x=EDGE, y=LEVELS.y, width=LEVELS.wide, height=tall)]
    return "".join((frame(HEIGHT, WIDTH), head(words.say("Budget and roles"), WIDTH), group(parts)))


def items(view: View, words: Words, names: tuple[str, ...]) -> list[Item]:
    """The budget table with everybody's marker."""
    phase = words.say("bids") if view.row[F.asked] == rules.BID else words.say("action phase")
    return [_phase(words, phase), Item("bids", "budget"), *_markers(view, words, names)]


def _phase(words: Words, text: str) -> Item:
    """The phase of the round, in the head."""
    return Item("phase", "budget", note(text, words.say("Budget and roles"), WIDTH))


# The markers.

IDLE, PASSED, FLIPPED, HAS_BID = range(4)
"""The states of a budget marker."""


def _markers(view: View, words: Words, names: tuple[str, ...]) -> Iterator[Item]:
    """The budget markers, each on its level in the order of the table."""
    s = view.row
    markers_on: dict[int, int] = {}
    columns = {}
    for seat in s[F.order : F.order + view.seats]:
        level = s[F.level + seat]
        columns[seat] = markers_on.get(level, 0)
        markers_on[level] = columns[seat] + 1
    for seat in range(view.seats):
        state = IDLE
        if s[F.passed] >> seat & 1:
            state = PASSED
        elif s[F.flipped] >> seat & 1:
            state = FLIPPED
        elif s[F.asked] == rules.BID and s[F.has_bid] >> seat & 1:
            state = HAS_BID
        yield _marker(words, names[seat], seat, s[F.level + seat], columns[seat], state)


@drawing
def _marker(words: Words, name: str, seat: Seat, level: int, column: int, state: int) -> Item:
    title = f"{name}: " + words.say("level {level}", level=level)
    if state == PASSED:
        title += " · " + words.say("performance ended")
    elif state == FLIPPED:
        title += " · " + words.say("done with this role")
    elif state == HAS_BID:
        title += " · " + words.say("bid made")
    x, y = EDGE + NUMBER + COLUMN * (column + 0.5), _top(level) + TALL / 2
    return Item(f"marker-{seat}", "budget", marker(seat, letters(words, seat), state), x, y, title=title)


@drawing
def marker(seat: Seat, letters: str, state: int) -> str:
    """A budget marker: with a cross when its seat is done with a role, under a pass disc when its performance is over."""
    size = 26
    arm = size * 0.36
    parts = [token(seat, 24, letters)]
    if state == PASSED:
        parts.append(circle(size * 0.3, size * 0.3, size * 0.26, "disc"))
        parts.append(path(f"M{size * 0.17:.1f} {size * 0.3:.1f}h{size * 0.26:.1f}", "ondisc"))
    elif state == FLIPPED:
        parts.append(path(f"M{-arm:.1f} {-arm:.1f}L{arm:.1f} {arm:.1f}M{-arm:.1f} {arm:.1f}L{arm:.1f} {-arm:.1f}", "cross"))
    elif state == HAS_BID:
        parts.append(circle(size * 0.3, size * 0.3, size * 0.3, "disc"))
        parts.append(path(f"M{arm * 0.2:.1f} {arm * 0.9:.1f}l3.5 4 6-8", "ondisc"))
    return "".join(parts)


# Bids.


def bids(view: View) -> Iterator[Item]:
    """The levels that the reader may bid for, or the bid that they made."""
    s, seat = view.row, view.seat
    assert seat is not None
    if s[F.asked] != rules.BID:
        return
    level = s[F.level + seat]
    if s[F.has_bid] >> seat & 1:
        yield Item("bid", "budget", bid(s[F.bid + seat]), EDGE, _top(level + s[F.bid + seat]))
        return
    for goal in range(level, rules.TOP_LEVEL + 1):
        best, worst = places(view, seat, goal)
        look = offered_level(goal - level, f"{best}" if best == worst else f"{best}–{worst}")
        yield Item(f"bid-{goal}", "bids", look, EDGE, _top(goal), action=A.bid + goal - level, ask=True)


def places(view: View, seat: Seat, goal: int) -> tuple[int, int]:
    """The best and the worst place in the table after a bid to a level, whatever the others may bid."""
    s = view.row
    levels = s[F.level : F.level + view.seats]
    # At closed screens nobody's purse is drawn, not even so.
    purses = s[F.ducats : F.ducats + view.seats] if s[F.screens] else (rules.TOP_LEVEL,) * view.seats
    return _places(s[F.order : F.order + view.seats], levels, purses, seat, goal - levels[seat])


@drawing
def _places(
    order: tuple[Seat, ...], levels: tuple[int, ...], purses: tuple[int, ...], seat: Seat, ducats: int
) -> tuple[int, int]:
    """The places if the others bid nothing, and if they bid as much as they can."""
    seats = len(order)
    row = partial_row(level=levels, ducats=purses)
    most = tuple(ducats if one == seat else rules.most_bid(row, one) for one in range(seats))
    nothing = tuple(ducats if one == seat else 0 for one in range(seats))
    return _place(order, levels, nothing, seat), _place(order, levels, most, seat)


def _place(order: tuple[Seat, ...], levels: tuple[int, ...], bids: tuple[int, ...], seat: Seat) -> int:
    """A seat's place in the table after these bids, by the rules."""
    row = partial_row(seats=len(order), order=order, level=levels, bid=bids)
    rules.raise_markers(row, MUTED)
    return row[F.order : F.order + len(order)].index(seat) + 1


@drawing
def offered_level(ducats: int, place: str) -> str:
    """A level to bid for: the ducats it takes, and the place after it."""
    price = write(f"+{ducats}", LEVELS.wide - 50, 18.5, BOLD, cls="bold", anchor="end")
    rank = write(place, LEVELS.wide - 6, 18.5, FACT, cls="quiet", anchor="end")
    return "".join((halo(0, 0, LEVELS.wide, TALL, 5), price, rank))


@drawing
def bid(ducats: int) -> str:
    """A bid that was made, on the level it leads to."""
    level = rect(2, 2, LEVELS.wide - 4, TALL - 4, "ghost", 5)
    return level + write(f"+{ducats}", LEVELS.wide - 50, 18.5, BOLD, cls="bold", anchor="end")


def prompt(view: View, words: Words) -> Iterator[Item]:
    """The meaning of the numbers beside the levels, while the reader bids."""
    if asks(view, rules.BID):
        yield _phase(words.nameless(), words.say("bid · place"))
