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
from ridotto.games.opera.ui.picture.marks import BOLD, EDGE, TEXT, coin, copies, medallion
from ridotto.games.opera.ui.words import Words
from ridotto.present.kit import drawing, fan, frame, halo, path, token
from ridotto.present.narrator import mark, opening
from ridotto.present.scene import Item
from ridotto.present.svg import group, measure, tag, write

PANELS: Final = tuple(f"player-{seat}" for seat in range(rules.MOST_SEATS))
WIDTH: Final = 260
NAME: Final = 112
"""The room for a name; what is longer is made smaller, then cut short."""
SHELF: Final = 68
"""The top of what lies behind the screen."""
CLOSED: Final = mark("A closed screen: ducats and pieces behind it are not shown.")


def height(seats: int) -> int:
    """The height of a player's panel: for two, what lies behind a screen is larger."""
    return 140 if seats == 2 else 104


def items(
    view: View, words: Words, names: tuple[str, ...], halls: Halls, seat: Seat, reader: Seat | None = None
) -> Sequence[Item]:
    """A player, who may be the reader, and what lies behind an open screen."""
    s, is_over = view.row, view.is_played_out
    plate = _plate(
        words,
        seat,
        names[seat],
        height(view.seats),
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
        return [*plate, *_left_over(words, seat, view.seats, held, halls.copies[seat])]
    if not is_open(view, seat):
        return plate
    question = rules.NOTHING
    if seat == view.seat:
        question = rules.STAGE if asks(view, rules.REARRANGE, rules.STAGE) else s[F.asked]
    return [*plate, *_shelf(words, seat, view.seats, _kinds(view, seat), held, halls.copies[seat], question)]


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
    if hired != rules.NONE and not has_won:
        notes.append(words.say("ended") if has_ended else words.say("roles {hired}/{most}", hired=hired, most=most))
    purse, title = paravent(), words.say(CLOSED)
    if ducats != rules.NONE:
        purse, title = coin(str(ducats), 15), words.ducats(ducats)
    return [
        Item(f"frame-{seat}", panel, frame(tall, WIDTH)),
        Item(f"name-{seat}", panel, _name(seat, letters(words, seat), name)),
        Item(f"notes-{seat}", panel, _notes(" · ".join(notes), name, has_won)),
        Item(f"points-{seat}", panel, _points(points), WIDTH - EDGE - 2, title=words.points(points)),
        Item(f"purse-{seat}", panel, purse, EDGE + 22, 50, title=title),
        *(_prospects(words, seat, coming) if coming else ()),
        *((Item(f"turn-{seat}", panel, turn_edge(tall)),) if is_asked else ()),
    ]


def _prospects(words: Words, seat: Seat, coming: Forecast) -> list[Item]:
    """The coming income, and the points of the next count."""
    panel = PANELS[seat]
    empty = f"−{coming.empty}" if coming.empty else "0"
    points = f"{coming.points:+}".replace("-", "−") if coming.points else "0"
    parts_of_count = words.say(
        "great halls {great}, Composer of the Century {century}, empty halls {empty}",
        great=coming.great,
        century=coming.century,
        empty=empty,
    )
    return [
        Item(f"income-{seat}", panel, _prospect(f"+{coming.income}", words.say("income"), 84), 62),
        Item(f"count-{seat}", panel, _prospect(points, words.say("next count"), 104), 148, title=parts_of_count),
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
    words: Words, seat: Seat, seats: int, kinds: tuple[int, ...], held: tuple[int, ...], in_halls: int, asked: int
) -> Sequence[Item]:
    """The pieces behind an open screen, a heap for each kind; for its reader each stands for placing or selling one."""
    panel, room = PANELS[seat], height(seats) - SHELF - 2
    items = [Item(f"shelf-{seat}", panel, y=SHELF)]
    pitch = min(room + 6.0, (WIDTH - 2 * EDGE) / max(1, len(kinds)))
    size = min(room, pitch - 2)
    for at, piece in enumerate(kinds):
        key, number = f"heap-{seat}-{piece}", held[piece]
        action = -1
        if asked == rules.STAGE:
            action = A.place + piece
        elif asked == rules.SELL and piece != rules.HOUSE:
            action = A.sell + piece * rules.SOURCES
        look = halo(-size / 2 - 1, -size / 2 - 1, size + 2, size + 2)
        if not number:
            look += medallion(piece, size, seat)
        x, y = EDGE + pitch * (at + 0.5), SHELF + room / 2
        items.append(Item(key, panel, look, x, y, action=action, ask=action >= 0))
        first, title = in_halls >> 4 * piece & 15, opening(words.piece(piece))
        for copy in range(number):
            lift = 2 * min(copy, 2) - min(number - 1, 2)
            items.append(Item(piece_key(seat, piece, first + copy), key, medallion(piece, size, seat), lift, title=title))
        if number > 1:
            items.append(Item(f"copies-{seat}-{piece}", key, copies(number), size / 2 - 6, size / 2 - 8))
    return items


@drawing
def _left_over(words: Words, seat: Seat, seats: int, held: tuple[int, ...], in_halls: int) -> Sequence[Item]:
    """The pieces left behind a screen when all is over."""
    copies_of = ((piece, (in_halls >> 4 * piece & 15) + copy) for piece in range(7) for copy in range(held[piece]))
    pieces = [(piece, piece_key(seat, piece, copy)) for piece, copy in copies_of]
    y = SHELF + (height(seats) - SHELF - 2) / 2
    return [
        Item(key, PANELS[seat], medallion(piece, 30, seat), EDGE + 17 + x, y, title=opening(words.piece(piece)))
        for (piece, key), x in zip(pieces, fan(len(pieces), 34.0, WIDTH - 2 * EDGE), strict=True)
    ]


# Looks.


@drawing
def turn_edge(tall: int) -> str:
    """The gilt edge of a panel that is somebody's turn."""
    return tag("rect", cls="turn", x=1.5, y=1.5, width=WIDTH - 3, height=tall - 3, rx=9)


@drawing
def _name(seat: Seat, letters: str, name: str) -> str:
    """A player's mark and name."""
    text = write(name, EDGE + 32, 25, BOLD, cls="name bold", anchor="start", within=NAME)
    return group([token(seat, 27, letters)], at=(EDGE + 13, 19)) + text


@drawing
def _notes(text: str, name: str, has_won: bool) -> str:
    """Notes beside a name; a crown for the winner."""
    start = EDGE + 38 + min(measure(name, BOLD, "serif-bold"), NAME)
    line = write(text, start, 25, TEXT, cls="quiet", anchor="start", within=max(20, WIDTH - 72 - start))
    return line + (path(f"M{WIDTH - 96} 26l-4-16 9 7 6-11 6 11 9-7-4 16Z", "gilt") if has_won else "")


@drawing
def _points(number: int) -> str:
    return write(str(number).replace("-", "−"), 0, 28, 27, cls="title bold", anchor="end")


@drawing
def paravent() -> str:
    """A closed screen of three leaves."""
    leaves = enumerate(((-21, 0), (-7, -3), (7, 0)))
    return group(
        [path(f"M{x} {-11 + lift}l14 {-3 + 6 * (at % 2)}v22l-14 {3 - 6 * (at % 2)}Z", "screen") for at, (x, lift) in leaves]
    )


@drawing
def _prospect(number: str, label: str, room: float) -> str:
    """A number of the forecast, with its label beside it."""
    wide = measure(number, BOLD, "sans-bold")
    text = write(label, wide + 4, 56, TEXT, cls="quiet", anchor="start", within=room - wide - 6)
    return write(number, 0, 56, BOLD, cls="bold", anchor="start") + text
