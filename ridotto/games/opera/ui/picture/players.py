"""The players: points, purse, what their halls would bring, and the pieces behind an open screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ridotto.core.view import View
from ridotto.engine.fields import Seat
from ridotto.games.opera import rules
from ridotto.games.opera.ai.programme import Forecast, forecast
from ridotto.games.opera.rules import A, F
from ridotto.games.opera.ui.picture.facts import Halls, asks, is_open, letters, partial_row, piece_key
from ridotto.games.opera.ui.picture.marks import coin, copies, medallion, unit
from ridotto.games.opera.ui.words import Words
from ridotto.present.kit import EDGE, WIDE, drawing, fan, frame, halo, path, token
from ridotto.present.narrator import mark, opening
from ridotto.present.scene import Item
from ridotto.present.svg import group, measure, tag, write

PANELS: Final = tuple(f"player-{seat}" for seat in range(rules.MOST_SEATS))
PLATE: Final = 97
"""The height of a player's panel without the pieces behind the screen."""
NAME: Final = 120
"""The room for a name; what is longer is made smaller, then cut short."""
CLOSED: Final = mark("A closed screen: ducats and pieces behind it are not shown.")


def height(view: View, seat: Seat) -> int:
    """The height of a player's panel, with the pieces behind an open screen."""
    if view.is_played_out or not is_open(view, seat):
        return PLATE
    if not _kinds(view, seat):
        return PLATE + 32
    return PLATE + (61 if seat == view.seat else 51)


def items(
    view: View, words: Words, names: tuple[str, ...], halls: Halls, seat: Seat, reader: Seat | None = None
) -> Sequence[Item]:
    """A player, who may be the reader, and what lies behind an open screen."""
    s, is_over = view.row, view.is_played_out
    plate = _plate(
        words,
        seat,
        names[seat],
        height(view, seat),
        seat == reader,
        seat in view.to_act,
        view.outcome is not None and seat in view.outcome.winners,
        s[F.hired + seat] if not is_over and s[F.asked] != rules.BID else rules.NONE,
        rules.most_roles(list(s)),
        bool(s[F.passed] >> seat & 1),
        s[F.points + seat],
        s[F.ducats + seat] if is_open(view, seat) else rules.NONE,
        None if is_over else forecast_of(s, seat),
    )
    held = s[F.screen + seat * 7 : F.screen + seat * 7 + 7]
    if is_over:
        return [*plate, *_left_over(words, seat, held, halls.copies[seat])]
    if not is_open(view, seat):
        return plate
    question = rules.NOTHING
    if seat == view.seat:
        question = rules.STAGE if asks(view, rules.REARRANGE, rules.STAGE) else s[F.asked]
    return [*plate, *_shelf(words, seat, seat == view.seat, _kinds(view, seat), held, halls.copies[seat], question)]


# Points and ducats.


@drawing
def _plate(
    words: Words,
    seat: Seat,
    name: str,
    tall: int,
    is_reader: bool,
    is_asked: bool,
    has_won: bool,
    hired: int,
    most: int,
    has_ended: bool,
    points: int,
    ducats: int,
    coming: Forecast | None,
) -> Sequence[Item]:
    """A player: points, purse or closed screen, and what the halls would bring."""
    panel = PANELS[seat]
    notes = [words.say("you")] if is_reader else []
    if has_won:
        notes.append(words.say("winner"))
    elif hired != rules.NONE:
        notes.append(words.say("roles {hired}/{most}", hired=hired, most=most))
        if has_ended:
            notes.append(words.say("ended"))
    purse, title = _closed_purse(words.say("screen closed")), words.say(CLOSED)
    if ducats != rules.NONE:
        purse, title = _open_purse(ducats, unit(words.ducats(ducats))), ""
    return [
        Item(f"frame-{seat}", panel, frame(tall)),
        Item(f"name-{seat}", panel, _name(seat, letters(words, seat), name)),
        Item(f"notes-{seat}", panel, _notes(" · ".join(notes), name, has_won)),
        Item(f"points-{seat}", panel, _points(points, unit(words.points(points))), WIDE - EDGE - 4),
        Item(f"purse-{seat}", panel, purse, EDGE + 41, 61, title=title),
        *(_prospects(words, seat, coming) if coming else ()),
        *((Item(f"turn-{seat}", panel, turn_edge(tall)),) if is_asked else ()),
    ]


def _prospects(words: Words, seat: Seat, coming: Forecast) -> list[Item]:
    """The coming income, the points of the next count, and the number of empty halls."""
    panel = PANELS[seat]
    empty = f"−{coming.empty}" if coming.empty else "0"
    points = f"{coming.points:+}".replace("-", "−") if coming.points else "0"
    parts_of_count = words.say(
        "great halls {great}, Composer of the Century {century}, empty halls {empty}",
        great=coming.great,
        century=coming.century,
        empty=empty,
    )
    label = words.count("empty hall", "empty halls", coming.empty)
    cls = "bold bad" if coming.empty else "bold"
    return [
        Item(f"income-{seat}", panel, _prospect(f"+{coming.income}", words.say("income"), "bold"), 138),
        Item(f"count-{seat}", panel, _prospect(points, words.say("next count"), "bold"), 221, title=parts_of_count),
        Item(f"empty-{seat}", panel, _prospect(empty, label, cls), 304),
    ]


def forecast_of(row: Sequence[int], seat: Seat) -> Forecast:
    """The forecast of a seat, cached by the part of the row that it depends on."""
    houses = slice(seat * 6, seat * 6 + 6)
    halls, great, side = (tuple(row[field : field + 24][houses]) for field in (F.halls, F.great, F.side))
    return _forecast(
        row[F.counts], tuple(row[F.fame : F.fame + 6]), tuple(row[F.century : F.century + 3]), row[F.figure], halls, great, side
    )


@drawing
def _forecast(
    counts: int,
    fame: tuple[int, ...],
    century: tuple[int, ...],
    maestro: int,
    halls: tuple[int, ...],
    great: tuple[int, ...],
    side: tuple[int, ...],
) -> Forecast:
    row = partial_row(counts=counts, fame=fame, century=century, figure=maestro, halls=halls, great=great, side=side)
    return forecast(row, 0)


# Behind the screen.


def _kinds(view: View, seat: Seat) -> tuple[int, ...]:
    """The kinds of pieces behind an open screen; while the reader rearranges, those still in the halls as well."""
    is_rearranging = seat == view.seat and asks(view, rules.REARRANGE, rules.STAGE)
    pieces = (rules.pieces_of if is_rearranging else rules.in_hand)(list(view.row), seat)
    return tuple(piece for piece in range(7) if pieces >> piece & 1)


@drawing
def _shelf(
    words: Words, seat: Seat, is_own: bool, kinds: tuple[int, ...], held: tuple[int, ...], in_halls: int, asked: int
) -> Sequence[Item]:
    """The pieces behind an open screen, a heap for each kind; for its reader each stands for placing or selling one."""
    panel = PANELS[seat]
    nothing = "" if kinds else write(words.say("nothing behind the screen"), 180, 22, 14, cls="quiet")
    items = [Item(f"shelf-{seat}", panel, SHELF + nothing, 0, 95)]
    size, tall = (38, 46) if is_own else (30, 36)
    for at, piece in enumerate(kinds):
        key, number = f"heap-{seat}-{piece}", held[piece]
        action = -1
        if asked == rules.STAGE:
            action = A.place + piece
        elif asked == rules.SELL and piece != rules.HOUSE:
            action = A.sell + piece * rules.SOURCES
        look = halo(-23, -1 - tall / 2, 46, 48)
        if not number:
            look += medallion(piece, size, seat)
        items.append(Item(key, panel, look, EDGE + 22 + at * 48, 103 + tall / 2, action=action, ask=action >= 0))
        first, title = in_halls >> 4 * piece & 15, opening(words.piece(piece))
        for copy in range(number):
            x = 3 * min(copy, 2) - min(number - 1, 2) * 1.5
            items.append(Item(piece_key(seat, piece, first + copy), key, medallion(piece, size, seat), x, title=title))
        if number > 1:
            items.append(Item(f"copies-{seat}-{piece}", key, copies(number), size / 2 - 2, size / 2 - 6))
    return items


@drawing
def _left_over(words: Words, seat: Seat, held: tuple[int, ...], in_halls: int) -> Sequence[Item]:
    """The pieces left behind a screen when all is over."""
    pieces = [(piece, (in_halls >> 4 * piece & 15) + copy) for piece in range(7) for copy in range(held[piece])]
    return [
        Item(
            piece_key(seat, piece, copy),
            PANELS[seat],
            medallion(piece, 30, seat),
            EDGE + 92 + x,
            66,
            title=opening(words.piece(piece)),
        )
        for (piece, copy), x in zip(pieces, fan(len(pieces), 34.0, 190), strict=True)
    ]


# Looks.


@drawing
def turn_edge(tall: int) -> str:
    """The gilt edge of a panel that is somebody's turn."""
    return tag("rect", cls="turn", x=1.5, y=1.5, width=WIDE - 3, height=tall - 3, rx=9)


@drawing
def _name(seat: Seat, letters: str, name: str) -> str:
    """A player's mark and name."""
    text = write(name, EDGE + 38, 30, 20, cls="name bold", anchor="start", within=NAME)
    return group([token(seat, 27, letters)], at=(EDGE + 16, 24)) + text


@drawing
def _notes(text: str, name: str, has_won: bool) -> str:
    """Notes beside a name; a crown for the winner."""
    start = EDGE + 48 + min(1.1 * measure(name, 20), NAME)
    line = write(text, start, 30, 14, cls="quiet", anchor="start", within=WIDE - 84 - start)
    return line + (path(f"M{WIDE - 112} 30l-4-16 9 7 6-11 6 11 9-7-4 16Z", "gilt") if has_won else "")


@drawing
def _points(number: int, unit: str) -> str:
    return write(str(number), 0, 32, 28, cls="title bold", anchor="end") + write(unit, 0, 46, 14, cls="quiet", anchor="end")


@drawing
def _open_purse(ducats: int, unit: str) -> str:
    return coin(str(ducats), 15, 0, 1) + write(unit, 0, 28, 14, cls="quiet")


@drawing
def _closed_purse(text: str) -> str:
    return paravent() + write(text, 0, 28, 14, cls="quiet", within=94)


@drawing
def paravent() -> str:
    """A closed screen of three leaves."""
    leaves = enumerate(((-21, 0), (-7, -3), (7, 0)))
    return group(
        [path(f"M{x} {-11 + lift}l14 {-3 + 6 * (at % 2)}v22l-14 {3 - 6 * (at % 2)}Z", "screen") for at, (x, lift) in leaves]
    )


@drawing
def _prospect(number: str, label: str, cls: str) -> str:
    """A number of the forecast with its label."""
    return write(number, 0, 70, 19, cls=cls) + write(label, 0, 89, 14, cls="quiet", within=86)


SHELF: Final = path(f"M{EDGE + 4} 2H{WIDE - EDGE - 4}", "rule")
