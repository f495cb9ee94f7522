"""The budget table: everybody's marker, the bids, whom the table waits for, and answers without a thing on the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ridotto.core.view import View
from ridotto.engine.fields import Seat
from ridotto.games.opera import rules
from ridotto.games.opera.rules import A, F
from ridotto.games.opera.ui.picture.facts import MUTED, asks, letters, partial_row
from ridotto.games.opera.ui.picture.marks import button, head, note
from ridotto.games.opera.ui.words import Words
from ridotto.present.kit import EDGE, INNER, Grid, circle, drawing, frame, halo, line, path, rect, row, token
from ridotto.present.narrator import opening
from ridotto.present.scene import Item
from ridotto.present.svg import group, tag, write

TALL: Final = 44
"""The height of a level."""
LEVELS: Final = Grid(1, 190, TALL, x=EDGE, y=42)
"""The levels, the highest first."""
COLUMN: Final = 30
"""The width of a column of markers."""
HEIGHT: Final = 42 + 11 * TALL + 62


def _top(level: int) -> float:
    """The top of a level of the budget table."""
    return LEVELS.place(rules.TOP_LEVEL - level)[1]


def board(words: Words) -> str:
    """The empty budget table."""
    parts = []
    for level in range(rules.TOP_LEVEL + 1):
        y = _top(level)
        parts.append(tag("rect", cls="level" if level % 2 else "level even", x=EDGE, y=y, width=LEVELS.wide, height=TALL))
        parts.append(write(str(level), EDGE + 14, y + TALL / 2 + 6, 17, cls="title bold"))
    tall = LEVELS.height(rules.TOP_LEVEL + 1)
    parts.append(path("".join(f"M{EDGE + 28 + COLUMN * at} 42V{42 + tall}" for at in range(5)), "between"))
    parts.append(tag("rect", cls="rule", x=EDGE, y=42, width=LEVELS.wide, height=tall))
    return "".join((frame(HEIGHT), head(words.say("Budget and roles")), group(parts)))


def items(view: View, words: Words, names: tuple[str, ...]) -> list[Item]:
    """The budget table with everybody's marker."""
    phase = words.say("bids") if view.row[F.asked] == rules.BID else words.say("action phase")
    return [_phase(words, phase), Item("bids", "budget"), *_markers(view, words, names)]


def _phase(words: Words, text: str) -> Item:
    """The phase of the round, in the head."""
    return Item("phase", "budget", note(text, words.say("Budget and roles")))


def pending(view: View, words: Words, players: str) -> Item:
    """The players that the table waits for."""
    if view.row[F.asked] == rules.BID:
        return _last_line(words.say("still to bid: {players}", players=players), "quiet")
    return _last_line(words.say("to act: {players}", players=players), "quiet")


def _last_line(text: str, cls: str) -> Item:
    return Item("pending", "budget", line(text, 14, cls, within=336), 180, HEIGHT - 26)


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
    x, y = EDGE + 28 + COLUMN * (column + 0.5), _top(level) + TALL / 2
    return Item(f"marker-{seat}", "budget", marker(seat, letters(words, seat), state), x, y, title=title)


@drawing
def marker(seat: Seat, letters: str, state: int) -> str:
    """A budget marker: with a cross when its seat is done with a role, under a pass disc when its performance is over."""
    size = 30
    arm = size * 0.36
    parts = [token(seat, size * 0.86, letters)]
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
    x = 48 + 4 * COLUMN
    price, rank = write(f"+{ducats}", x, 20, 16, cls="bold"), write(place, x, 37, 14, cls="quiet")
    return "".join((halo(0, 0, LEVELS.wide, TALL, 5), price, rank))


@drawing
def bid(ducats: int) -> str:
    """A bid that was made, on the level it leads to."""
    level = rect(2, 3, LEVELS.wide - 4, TALL - 6, "ghost", 5)
    return level + write(f"+{ducats}", LEVELS.wide - 22, TALL / 2 + 5, 15, cls="bold")


# Answers.

QUIET: Final = (A.end, A.decline, A.stop, A.keep, A.withhold)
"""The answers without a thing on the table."""


def answers(view: View, words: Words) -> Iterator[Item]:
    """The reader's answers as buttons where nothing on the table stands for them, or the bid that they made."""
    s, seat, nameless = view.row, view.seat, words.nameless()
    assert seat is not None
    if asks(view, rules.BID):
        yield _phase(nameless, words.say("your bid, your place after it"))
    elif s[F.has_bid] >> seat & 1:
        text = words.say("your bid: {ducats}", ducats=s[F.bid + seat])
        text += " · " + words.say("still to bid: {players}", players=", ".join(words.player(one) for one in view.to_act))
        yield _last_line(text, "")
    actions = [action for action in view.legal if action in QUIET]
    if not actions:
        if seat in view.to_act:
            yield pending(view, nameless, words.names(view.to_act))
        return
    if A.keep in actions:
        actions.append(A.empty)
    yield Item("pending", "budget")
    for action, span in zip(actions, row(len(actions), INNER, EDGE, 8), strict=True):
        label = words.label(s, seat, action)
        key, look = f"answer-{rules.ACTIONS.family(action).verb}", button(opening(label), span.wide, 46)
        yield Item(key, "budget", look, span.x, HEIGHT - 54, action=action, label=label)
