"""A view of Opera drawn as SVG: a panel for each city, the fame ladder, budget and roles, the Palazzo, and the players.

Everything is worked out from the view's own row. At a table with closed screens other people's ducats and the pieces
behind their screens are not drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import takewhile
from typing import Final, NamedTuple

from ridotto.core.drawing import Panel, group, measure, piece, seat_mark, shape, tag, target, wrap, write
from ridotto.core.narrator import mark, opening
from ridotto.core.view import Seen, View
from ridotto.engine.fields import Seat
from ridotto.games.opera import rules, sketch
from ridotto.games.opera.components import FEE, HALLS, INCOME, OPENS_AFTER, STANDING
from ridotto.games.opera.rules import F
from ridotto.games.opera.sketch import CHIPS, ROMAN, forecast
from ridotto.games.opera.words import Words

STYLE: Final = """
.bold { font-weight: 700; }
.gilt { fill: $gilt; }
.dim { opacity: 0.45; } .faint { opacity: 0.6; }
.rule { fill: none; stroke: $brass; stroke-width: 1; }
.turn { fill: none; stroke: $gilt; stroke-width: 3; }
.cloth { fill: $curtain; } .oncloth { fill: #fbe6bd; }
.hem { fill: none; stroke: $gilt; stroke-width: 1.2; stroke-opacity: 0.7; }
.drape { fill: $curtain; } .fold { fill: $shade; fill-opacity: 0.28; }
.composer0 { fill: #f0913a; } .composer1 { fill: #a3203a; } .composer2 { fill: #f3d24e; }
.composer3 { fill: #22529c; } .composer4 { fill: #1f6b3c; } .composer5 { fill: #63348c; }
.rim { fill: none; stroke: $gilt; stroke-width: 1.5; }
.groove { fill: none; stroke: #fff6e6; stroke-opacity: 0.55; stroke-width: 1; }
.monogram { font-weight: 700; fill: #fff6e6; } .dark { fill: #2a1720; }
.outlined { stroke: #2a1720; stroke-width: 0.8; }
.coin { fill: $gilt; stroke: $brass; stroke-width: 1; }
.oncoin { fill: $velvet; font-weight: 700; } .lit { fill: $velvet; }
.wall { fill: $wood; stroke: $brass; stroke-width: 1; }
.roof { stroke: $brass; stroke-width: 0.8; }
.column { fill: $curtain; stroke: $gilt; stroke-width: 0.6; }
.hall { fill: #1c0e17; stroke: $brass; stroke-width: 1; } .cost { fill: #ffb7a6; }
.great { stroke: $gilt; stroke-width: 1.5; }
.lot { fill: none; stroke: $brass; stroke-width: 1; stroke-dasharray: 3 3; stroke-opacity: 0.75; }
.sky { fill: $brass; fill-opacity: 0.2; } .night .sky { fill-opacity: 0.42; }
.place { fill: $shade; fill-opacity: 0.35; stroke: $brass; stroke-width: 1; }
.figure0 { fill: #2c7a4b; stroke: $gilt; } .figure1 { fill: #17131a; stroke: $gilt; }
.figure2 { fill: #5d2f86; stroke: $gilt; } .onfigure { fill: #fff3e0; font-weight: 700; }
.portrait { fill: $curtain; } .features { fill: $paper; fill-opacity: 0.9; }
.shadow { fill: none; stroke: #1c0e17; stroke-width: 4; stroke-linejoin: round; stroke-linecap: round; }
.prop { fill: none; stroke: #f0cd82; stroke-width: 1.6; stroke-linejoin: round; } .filled { fill: #1c0e17; }
.screen { fill: $curtain; stroke: $gilt; stroke-width: 1; }
.level { fill: $wood; fill-opacity: 0.55; } .even { fill-opacity: 0.95; }
.between { stroke: $brass; stroke-opacity: 0.4; stroke-width: 1; }
.cross { fill: none; stroke: $velvet; stroke-width: 2.5; }
.disc { fill: #1c0e17; stroke: #d8c9bb; stroke-width: 2; }
.ondisc { fill: none; stroke: #fff3e0; stroke-width: 2; }
.ghost { fill: none; stroke: $glow; stroke-width: 2; stroke-dasharray: 4 3; }
.back { fill: $curtain; stroke: $brass; }
"""
"""The classes of this game's drawing; see drawing.py."""

CITY_PANELS: Final = tuple(f"city-{name}" for name in rules.CITY.names)
PLAYER_PANELS: Final = tuple(f"player-{seat}" for seat in range(rules.MOST_SEATS))
COLUMNS: Final[tuple[tuple[str, ...], ...]] = (
    ("rounds", "score", "budget", "palazzo"),
    CITY_PANELS[:3],
    CITY_PANELS[3:],
    ("ladder", *PLAYER_PANELS),
)
"""The panels of a wide picture, column by column."""

WIDE: Final = 360
"""The width of every panel."""
EDGE: Final = 10
"""What a panel leaves free at its sides."""

PURPOSES: Final = (
    mark("buy 2, rearrange"),
    mark("build 1 or 2 parts"),
    mark("sell 1 to the Palazzo"),
    mark("double a city's income"),
    mark("raise or lower fame"),
    mark("score in a city"),
)
"""What each role is good for, in a few words."""
COUNTED: Final = ((3, 6, 9), (3, 5, 7))
"""The rounds that end with a count: usually, and in the game of seven rounds."""


def panels(view: View, words: Words) -> list[Panel]:
    """The parts of the table, the most important first: the order on a phone, where closed cities come last."""
    trace = _trace(view)
    cities = sorted(range(6), key=lambda city: OPENS_AFTER[city] > view.row[F.counts])
    seats = sorted(range(view.seats), key=lambda seat: seat != view.seat)
    drawn = [_rounds(view, words), _score(view, words) if view.outcome else _budget(view, words), _ladder(view, words, trace)]
    drawn += [_player(view, words, seat) for seat in seats if seat == view.seat]
    drawn += [_city(view, words, city, trace) for city in cities]
    drawn += [_palazzo(view, words, trace), *(_player(view, words, seat) for seat in seats if seat != view.seat)]
    return drawn


def preview(view: View, words: Words, action: int | str) -> list[Panel]:
    """Nothing is drawn ahead; what a rearrangement would bring is told by `trial`."""
    return []


def vignette(words: Words) -> tuple[list[str], str]:
    """An opera house whose halls are full of composers."""
    parts = [
        tag("rect", cls="sky", width=720, height=420),
        *(
            tag("circle", cls="gilt", cx=x, cy=y, r=1.8)
            for x, y in ((60, 50), (140, 96), (590, 60), (660, 120), (520, 34), (230, 40))
        ),
        tag("rect", cls="wall", x=40, y=196, width=640, height=190),
        tag("rect", cls="wall", x=214, y=150, width=292, height=236),
        tag("path", cls="seat0 roof", d="M196 152L360 62L524 152Z"),
        tag("circle", cls="hall great", cx=360, cy=120, r=22),
        tag("path", cls="seat0 roof", d="M30 198H212V182H44ZM508 198H690L676 182H508Z"),
    ]
    parts += [tag("rect", cls="column", x=x, y=172, width=14, height=196) for x in (226, 300, 406, 480)]
    for at, (x, number) in enumerate(((360, 2), (92, 0), (164, 1), (556, 3), (628, 4))):
        great = at == 0
        wide, top = (72, 204) if great else (58, 250)
        curve = f"M{x - wide / 2:g} 372V{top}A{wide / 2:g} {wide / 2:g} 0 0 1 {x + wide / 2:g} {top}V372Z"
        parts.append(tag("path", cls="hall great" if great else "hall", d=curve))
        parts.append(group([token(number, 62 if great else 48)], at=(x, 282 if great else 306)))
    for x, number in ((268, 5), (452, 4)):
        parts.append(tag("path", cls="hall", d=f"M{x - 22} 372V264A22 22 0 0 1 {x + 22} 264V372Z"))
        parts.append(group([token(number, 38)], at=(x, 310)))
    parts += [
        tag("rect", cls="wall", x=20, y=384, width=680, height=12),
        tag("rect", cls="wall", x=0, y=396, width=720, height=24),
    ]
    return parts, "0 44 720 360"


# What is drawn in several places.


def _panel(name: str, title: str, height: float, parts: Iterable[str], turn: bool = False) -> Panel:
    """A panel with its background; one that is somebody's turn has a gilt edge."""
    back = tag("rect", cls="panel", x=0.5, y=0.5, width=WIDE - 1, height=height - 1, rx=10)
    edge = (tag("rect", cls="turn", x=1.5, y=1.5, width=WIDE - 3, height=height - 3, rx=9),) if turn else ()
    return Panel(name, title, WIDE, round(height), "".join((back, *parts, *edge)))


def _head(title: str, note: str = "") -> str:
    """The title of a panel over a gilt line, with a note on the right."""
    size = min(measure(title, 18), 210)
    parts = [_valance(34), write(title, EDGE + 4, 23, 18, cls="title oncloth bold", anchor="start", within=210)]
    if note:
        parts.append(write(note, WIDE - EDGE - 4, 22, 13, cls="oncloth", anchor="end", within=WIDE - 50 - size))
    return group(parts)


@cache
def _valance(tall: int) -> str:
    """The red cloth behind the head of a panel, with a gilt hem in scallops."""
    hem = "".join(f"a{WIDE / 24:.2f} 7 0 0 1{-WIDE / 12:.2f} 0" for _ in range(12))
    cloth = f"M0.5 {tall - 4}V10A10 10 0 0 1 10.5 0.5H{WIDE - 10.5}A10 10 0 0 1 {WIDE - 0.5} 10V{tall - 4}{hem}Z"
    return group([tag("path", cls="cloth", d=cloth), tag("path", cls="hem", d=f"M{WIDE} {tall - 4}{hem}")])


@cache
def token(number: int, size: float, seat: Seat = 0) -> str:
    """A piece or a composer as a medallion with a monogram; the house piece is a small house in its seat's colour."""
    half = size / 2
    if number == rules.HOUSE:
        roof = f"M{-half * 0.62:.1f} {-half * 0.05:.1f}L0 {-half * 0.66:.1f}L{half * 0.62:.1f} {-half * 0.05:.1f}Z"
        walls = f"M{-half * 0.44:.1f} {half * 0.04:.1f}H{half * 0.44:.1f}V{half * 0.55:.1f}H{-half * 0.44:.1f}Z"
        ink = [tag("circle", cls="card", r=half - 1), tag("path", cls=f"seat{seat} outlined", d=roof + walls)]
        return group([*ink, tag("circle", cls="rim", r=half - 1)])
    dark = " dark" if number in (0, 2) else ""
    ring = () if size < 28 else (tag("circle", cls="groove", r=half - 3.5),)
    letters = write(CHIPS[number], 0, size * 0.17 + 0.5, max(12, round(size * 0.46)), cls="monogram name" + dark)
    disc = tag("circle", cls=f"composer{number}", r=half - 1)
    return group([disc, *ring, tag("circle", cls="rim", r=half - 1), letters])


def _at(x: float, y: float, body: str, cls: str = "") -> str:
    return group([body], at=(x, y), cls=cls)


def _mark(words: Words, seat: Seat, x: float, y: float, size: float) -> str:
    """The mark of a seat, with as many letters of its colour as tell it from the others."""
    return seat_mark(seat, x, y, size, sketch.letters(words, seat))


def _coin(text: str, x: float, y: float, radius: float = 9) -> str:
    """An amount of ducats as a coin."""
    size = max(12, radius * (1.5 if len(text) < 2 else 1.25))
    return group([tag("circle", cls="coin", cx=x, cy=y, r=radius), write(text, x, y + size * 0.34, size, cls="oncoin")])


def _arch(x: float, y: float, wide: float, tall: float, cls: str) -> str:
    """An arched opening."""
    half = wide / 2
    top = y + half
    curve = f"M{x:.1f} {y + tall:.1f}V{top:.1f}A{half:.1f} {half:.1f} 0 0 1 {x + wide:.1f} {top:.1f}V{y + tall:.1f}Z"
    return tag("path", cls=cls, d=curve)


def _halo(x: float, y: float, wide: float, tall: float, rx: float = 7) -> str:
    return tag("rect", cls="halo", x=x, y=y, width=wide, height=tall, rx=rx)


def _button(view: View, words: Words, action: str, x: float, y: float, wide: float, tall: float) -> str:
    """An action without a thing on the table: a button with its words."""
    assert view.seat is not None
    label = opening(words.label(view.row, view.seat, view.game.action(action)))
    size = 14.0
    lines = wrap(label, wide - 14, size)
    while len(lines) * size * 1.2 > tall - 4 and size > 12:
        size -= 0.5
        lines = wrap(label, wide - 14, size)
    first = y + tall / 2 - (len(lines) - 1) * size * 0.6 + size * 0.35
    texts = [write(line, x + wide / 2, first + i * size * 1.2, size, cls="bold") for i, line in enumerate(lines)]
    back = tag("rect", cls="raised", x=x, y=y, width=wide, height=tall, rx=8)
    return target(view, words, action, back, _halo(x, y, wide, tall, 8), *texts)


def _noun(amount: str) -> str:
    """What an amount is of: "3 points" without its number."""
    return amount.lstrip("-0123456789 ")


def _is_open(view: View, seat: Seat) -> bool:
    """Whether what lies behind a screen is drawn."""
    return bool(view.row[F.screens]) or view.outcome is not None or view.seat == seat


def asks(view: View, *questions: int) -> bool:
    """Whether the reader is asked one of these questions now."""
    return view.seat in view.to_act and view.row[F.asked] in questions


# The last move.


def _trace(view: View) -> frozenset[tuple[object, ...]]:
    """What the last entry of the log touched: houses, figures, composers, places at the Palazzo."""
    found: set[tuple[object, ...]] = set()
    for one in _latest(view):
        seen = one.values
        if one.event.name in ("builds", "stages", "scores"):
            found.add(("house", seen["seat"], seen["city"]))
        elif one.event.name == "moves":
            found.add(("figure", seen["figure"]))
        elif one.event.name in ("judges", "shifts", "climbs"):
            found.add(("composer", seen["composer"]))
        elif one.event.name == "buys":
            found.add(("offer", seen["composer"]))
        elif one.event.name == "sells":
            found.add(("palazzo", seen["composer"]))
    return frozenset(found)


def _latest(view: View) -> Iterator[Seen]:
    """The events of the last entry of the log, the last one first."""
    return takewhile(lambda one: one.ply == view.ply - 1, reversed(view.seen))


def _last(view: View, name: str) -> Mapping[str, int]:
    """The last event of that name in the last entry of the log, or nothing."""
    return next((one.values for one in _latest(view) if one.event.name == name), {})


def _key(view: View, seat: Seat, number: int, place: int) -> str:
    """The key of a seat's piece, counted through its halls and then behind its screen; one just bought has its old key."""
    bought = _last(view, "buys")
    if bought and (bought["seat"], bought["composer"]) == (seat, number):
        if place == rules.copies_of(list(view.row), seat, number) - 1:
            return f"offer-{number}-{view.row[F.offer + number]}"
    return f"{seat}-{rules.PIECE.names[number]}-{place}"


# The rounds.


def _rounds(view: View, words: Words) -> Panel:
    """The track of rounds, with the Composers of the Century behind each episode."""
    row = view.row
    counted = COUNTED[row[F.seven_rounds]]
    rounds = counted[-1]
    cell = (WIDE - 2 * EDGE - 3 * 38) / rounds
    x = float(EDGE)
    parts = []
    for number in range(1, rounds + 1):
        now = number == row[F.round] and view.outcome is None
        past = number < row[F.round] or view.outcome is not None
        box = tag("rect", cls="raised", x=x + 1, y=14, width=cell - 2, height=30, rx=4)
        if now:
            light = tag("rect", cls="coin", x=x + 1, y=14, width=cell - 2, height=30, rx=4)
            box = piece("round", light, title=words.say("round {number} of {rounds}", number=number, rounds=rounds))
        numeral = write(ROMAN[number - 1], x + cell / 2, 34, 12.5, cls="lit name" if now else "name")
        parts.append(group([box, numeral], cls="dim" if past else ""))
        x += cell
        if number in counted:
            count = counted.index(number)
            composer = row[F.century + count]
            told = words.say(
                "Composer of the Century: {composer}, +{points}", composer=words.composer(composer), points=count + 1
            )
            medal = [tag("title", told), shape(-4, x + 19, 29, 42, cls="raised"), _at(x + 19, 29, token(composer, 30))]
            medal.append(write(f"+{count + 1}", x + 19, 64, 13, cls="gilt bold"))
            parts.append(group(medal, cls="dim" if count < row[F.counts] else ""))
            x += 38
    return _panel("rounds", words.say("Rounds"), 70, parts)


# Budget and roles.


def _budget(view: View, words: Words) -> Panel:
    """The budget table beside the role cards that it pays for."""
    title = words.say("Budget and roles")
    parts = [_head(title, _phase(view, words)), _table(view, words)]
    height = 42 + 11 * LEVEL
    hirers = _hirers(view)
    parts += [_role(view, words, role, hirers) for role in range(6)]
    quiet = [i for i in view.legal if rules.ACTIONS.notation(i) in ("end", "decline", "stop", "keep", "withhold")]
    answers = [rules.ACTIONS.notation(i) for i in quiet]
    if view.row[F.asked] == rules.REARRANGE and "keep" in answers:
        answers.append("empty")
    wide = (WIDE - 2 * EDGE - 8 * (len(answers) - 1)) / max(1, len(answers))
    if answers and view.seat is not None:
        parts += [_button(view, words, one, EDGE + i * (wide + 8), height + 8, wide, 46) for i, one in enumerate(answers)]
    else:
        parts.append(_pending(view, words, height + 36))
    return _panel("budget", title, height + 62, parts)


def _phase(view: View, words: Words) -> str:
    """Where the round stands."""
    if asks(view, rules.BID):
        return words.say("your bid, your place after it")
    return words.say("bids") if view.row[F.asked] == rules.BID else words.say("action phase")


def _pending(view: View, words: Words, y: float) -> str:
    """Whom the table waits for."""
    names = ", ".join(words.player(seat) for seat in view.to_act)
    if view.row[F.asked] == rules.BID:
        if view.seat is not None and view.row[F.has_bid] >> view.seat & 1:
            text = words.say("your bid: {ducats}", ducats=view.row[F.bid + view.seat])
            return write(f"{text} · " + words.say("still to bid: {players}", players=names), 180, y, 14, within=336)
        return write(words.say("still to bid: {players}", players=names), 180, y, 14, cls="quiet", within=336)
    return write(words.say("to act: {players}", players=names), 180, y, 14, cls="quiet", within=336)


LEVEL: Final = 44
LEVELS_WIDE: Final = 190
PITCH: Final = 30
"""How tall a level of the budget table is, how wide, and how far apart its columns are."""


def _table(view: View, words: Words) -> str:
    """The budget table: eleven levels of four columns, with everybody's marker."""
    row, seat = view.row, view.seat
    bidding = asks(view, rules.BID)
    own = row[F.level + seat] if seat is not None else 0
    parts = [_levels()]
    for level in range(11):
        y = 42 + (10 - level) * LEVEL
        if bidding and seat is not None and level >= own:
            best, worst = _places(view, seat, level)
            place = f"{best}" if best == worst else f"{best}–{worst}"
            ducats = write(f"+{level - own}", EDGE + 28 + 4 * PITCH + 20, y + 20, 16, cls="bold")
            order = write(place, EDGE + 28 + 4 * PITCH + 20, y + 37, 13, cls="quiet")
            halo = _halo(EDGE, y, LEVELS_WIDE, LEVEL, 5)
            parts.append(target(view, words, f"bid {level - own}", halo, ducats, order, ask=True))
    there: dict[int, int] = {}
    for at in range(view.seats):
        one = row[F.order + at]
        level = row[F.level + one]
        x = EDGE + 28 + PITCH * (there.get(level, 0) + 0.5)
        there[level] = there.get(level, 0) + 1
        parts.append(_marker(view, words, one, x, 42 + (10 - level) * LEVEL + LEVEL / 2, 30))
    if seat is not None and row[F.asked] == rules.BID and row[F.has_bid] >> seat & 1:
        level = own + row[F.bid + seat]
        y = 42 + (10 - level) * LEVEL
        parts.append(tag("rect", cls="ghost", x=EDGE + 2, y=y + 3, width=LEVELS_WIDE - 4, height=LEVEL - 6, rx=5))
        parts.append(write(f"+{row[F.bid + seat]}", EDGE + LEVELS_WIDE - 22, y + LEVEL / 2 + 5, 15, cls="bold"))
    return group(parts)


@cache
def _levels() -> str:
    """The empty budget table."""
    parts = []
    for level in range(11):
        y = 42 + (10 - level) * LEVEL
        cls = "level" if level % 2 else "level even"
        parts.append(tag("rect", cls=cls, x=EDGE, y=y, width=LEVELS_WIDE, height=LEVEL))
        parts.append(write(str(level), EDGE + 14, y + LEVEL / 2 + 6, 17, cls="title bold"))
    lines = "".join(f"M{EDGE + 28 + PITCH * i} 42V{42 + 11 * LEVEL}" for i in range(5))
    parts.append(tag("path", cls="between", d=lines))
    parts.append(tag("rect", cls="rule", x=EDGE, y=42, width=LEVELS_WIDE, height=11 * LEVEL))
    return group(parts)


def _marker(view: View, words: Words, seat: Seat, x: float, y: float, size: float) -> str:
    """A budget marker: with a cross when its seat is done with a role, under a pass disc when its performance is over."""
    row = view.row
    title = f"{words.player(seat)}: " + words.say("level {level}", level=row[F.level + seat])
    parts = [_mark(words, seat, x, y, size * 0.86)]
    arm = size * 0.36
    if row[F.passed] >> seat & 1:
        title += " · " + words.say("performance ended")
        parts.append(tag("circle", cls="disc", cx=x + size * 0.3, cy=y + size * 0.3, r=size * 0.26))
        bar = f"M{x + size * 0.17:.1f} {y + size * 0.3:.1f}h{size * 0.26:.1f}"
        parts.append(tag("path", cls="ondisc", d=bar))
    elif row[F.flipped] >> seat & 1:
        title += " · " + words.say("done with this role")
        saltire = (
            f"M{x - arm:.1f} {y - arm:.1f}L{x + arm:.1f} {y + arm:.1f}M{x - arm:.1f} {y + arm:.1f}L{x + arm:.1f} {y - arm:.1f}"
        )
        parts.append(tag("path", cls="cross", d=saltire))
    elif row[F.asked] == rules.BID and row[F.has_bid] >> seat & 1:
        title += " · " + words.say("has bid")
        tick = f"M{x + arm * 0.2:.1f} {y + arm * 0.9:.1f}l3.5 4 6-8"
        parts.append(tag("circle", cls="disc", cx=x + size * 0.3, cy=y + size * 0.3, r=size * 0.3))
        parts.append(tag("path", cls="ondisc", d=tick))
    return piece(f"marker-{seat}", *parts, title=title)


def _places(view: View, seat: Seat, level: int) -> tuple[int, int]:
    """The best and the worst place in the table after a bid to a level, whatever the others may bid."""
    # On one level whoever was first in the table still is. At closed screens nobody's purse is drawn, not even so.
    row = view.row
    best = worst = 1
    ahead = True
    for at in range(view.seats):
        other = row[F.order + at]
        if other == seat:
            ahead = False
            continue
        low = row[F.level + other]
        high = rules.most_bid(list(row), other) + low if row[F.screens] else rules.TOP_LEVEL
        best += low > level or (low == level and ahead)
        worst += high > level or (high == level and ahead)
    return best, worst


def _role(view: View, words: Words, role: int, hirers: Mapping[int, Seat]) -> str:
    """A role card: its portrait, its fee, what it is for; who has hired it, if that is known."""
    row = view.row
    taken, playing = bool(row[F.taken] >> role & 1), row[F.role] == role
    x, y, wide, tall = 204.0, 42 + role * 81.0, 146.0, 77.0
    parts = [_at(x, y, _card(words.nameless(), role), cls="" if playing or not taken else "dim")]
    figure = role - rules.MAESTRO
    if figure >= 0 and row[F.figure + figure] == rules.NONE:
        parts.append(_figure(figure, x + wide - 14, y + 41, 0.75))
    if playing:
        parts.append(tag("rect", cls="turn", x=x, y=y, width=wide, height=tall, rx=7))
    hirer = row[F.hirer] if playing else hirers.get(role, rules.NONE)
    if hirer != rules.NONE:
        parts.append(_mark(words, hirer, x + 13, y + 46, 21))
    elif taken:
        parts.append(tag("path", cls="rule", d=f"M{x + 8} {y + 8}L{x + wide - 8} {y + tall - 8}"))
    return target(view, words, f"hire {rules.ROLE.names[role]}", parts[0], _halo(x, y, wide, tall), *parts[1:], ask=True)


def _hirers(view: View) -> dict[int, Seat]:
    """Who has hired which role in this round, as far as the view tells."""
    round_so_far = takewhile(lambda one: one.event.name != "opens", reversed(view.seen))
    return {one.values["role"]: one.values["seat"] for one in round_so_far if one.event.name == "hires"}


@cache
def _card(words: Words, role: int) -> str:
    """A role card without its place or state; by words without names, so that there is one for each language."""
    name = rules.ROLE.names[role].title()
    parts = [tag("title", words.role(role)), tag("rect", cls="raised", width=146, height=77, rx=7)]
    parts.append(_at(27, 29, _portrait(role)))
    parts.append(write(name, 53, 22, 16, cls="name bold", anchor="start", within=78))
    parts += [shape(-4, 58 + 12 * i, 39, 9, cls="gilt") for i in range(FEE[role])]
    parts.append(write(str(FEE[role]), 60 + 12 * FEE[role], 44, 15, cls="gilt bold"))
    parts.append(write(words.say(PURPOSES[role]), 73, 68, 12.5, cls="quiet", within=138))
    return group(parts)


PROPS: Final = (
    "M-11-10H11M-7-10V-20H7V-10Z",  # a top hat
    "M9-13L15 9M9-13L3 9M5.5 0H12.5",  # a pair of compasses
    "M5 15L17 5M5 15L14-1M5 15L8-3M5 15L1-2M17 5C17 0 12-5 1-2",  # a fan
    "M4 13L16-12",  # a baton
    "M4 15C5 5 9-4 16-11C17-3 13 6 4 15",  # a quill
    "M-4-6A3.6 3.6 0 1 0 3.2-6A3.6 3.6 0 1 0-4-6M3-4C6 0 6 6 4 12",  # an eyeglass on a ribbon
)
"""What each role is known by, as a path around its portrait."""


def _portrait(role: int) -> str:
    """A bust in an oval frame, with what the role is known by."""
    oval = tag("ellipse", cls="portrait", rx=20, ry=24)
    bust = tag("path", cls="features", d="M-14 17C-13 8-7 7-3 6V1.5A7 8 0 1 1 3 1.5V6C7 7 13 8 14 17A20 24 0 0 1-14 17Z")
    prop = [tag("path", cls=cls, d=PROPS[role]) for cls in ("shadow", "prop filled" if role in (0, 4) else "prop")]
    return group([oval, bust, *prop, tag("ellipse", cls="rim", rx=20, ry=24)])


def _figure(figure: int, x: float, y: float, scale: float = 1.0) -> str:
    """One of the three figures, a pawn with its letter, each with a head of its own."""
    name = rules.FIGURE.names[figure].title()
    body = tag("path", cls=f"figure{figure}", d="M-12 16C-12 6-6 2-5-6H5C6 2 12 6 12 16Z")
    heads = (
        shape(0, 0, -11, 13, f"figure{figure}"),
        shape(4, 0, -11, 11, f"figure{figure}"),
        shape(3, 0, -11, 13, f"figure{figure}"),
    )
    letter = write(name[0], 0, 14, 16, cls="onfigure name")
    place = f"translate({x:.1f} {y:.1f}) scale({scale})"
    return piece(f"figure-{rules.FIGURE.names[figure]}", tag("g", body, heads[figure], letter, transform=place), title=name)


# The fame ladder.

LADDER, STEP = 51.0, 48
"""From one step of the ladder to the next, and how high a step is."""


def _ladder(view: View, words: Words, trace: frozenset[tuple[object, ...]]) -> Panel:
    """The composers from the top, with their price, how often they are performed, where they are going, what is on offer."""
    row = list(view.row)
    later = list(row)
    rules.update_fame(later, view.game.build().events(muted=True))
    parts = [_head(words.say("Fame and offer"), "" if view.outcome else words.say("fame is the price"))]
    judged = 0
    if asks(view, rules.REVIEW):
        judged = rules.performed_in(row, row[F.figure + rules.CRITICO - rules.MAESTRO])
    for fame in range(6, 0, -1):
        composer = rules.on_step(row, fame)
        y = 42 + (6 - fame) * LADDER
        inside = [tag("rect", cls="raised", x=EDGE, y=y, width=WIDE - 2 * EDGE, height=STEP, rx=6)]
        inside.append(_coin(str(fame), EDGE + 24, y + STEP / 2, 16))
        name = words.composer(composer)
        inside.append(piece(f"composer-{composer}", _at(EDGE + 64, y + STEP / 2, token(composer, 38)), title=name))
        tight = bool(judged >> composer & 1)
        inside.append(write(name, EDGE + 90, y + 22, 17, cls="name bold", anchor="start", within=70 if tight else 110))
        inside.append(_facts(view, words, composer, fame, later[F.fame + composer], EDGE + 90, y + 41, tight))
        if ("composer", composer) in trace or ("offer", composer) in trace:
            inside.append(tag("rect", cls="trace", x=EDGE + 2, y=y + 2, width=WIDE - 2 * EDGE - 4, height=STEP - 4, rx=5))
        notation = rules.COMPOSER.names[composer]
        if tight:
            parts += [*inside, *_verdicts(view, words, composer, fame, y)]
            continue
        for copy in range(row[F.offer + composer]):
            chip = _at(WIDE - EDGE - 24 - 39 * copy, y + STEP / 2, token(composer, 36))
            inside.append(piece(f"offer-{composer}-{copy}", chip, title=words.say("on offer: {composer}", composer=name)))
        halo = _halo(EDGE, y, WIDE - 2 * EDGE, STEP, 6)
        parts.append(target(view, words, f"buy {notation}", *inside[:1], halo, *inside[1:], ask=True))
    return _panel("ladder", words.say("Fame and offer"), 42 + 6 * LADDER + 6, parts)


def _facts(view: View, words: Words, composer: int, fame: int, later: int, x: float, y: float, tight: bool) -> str:
    """How often a composer is performed, the fame after this round as it stands, and the centuries still to come."""
    times = sketch.performed(view, composer)
    told = words.say("performed: {times}", times=times)
    parts = [tag("path", cls="quiet", d=f"M{x + 4} {y - 2}a3.2 2.6 0 1 1-1-2V{y - 12}h1.8c0 3 3.5 3 3.5 6c-1-2-2.5-2-3.5-2Z")]
    parts.append(write(str(times), x + 11, y, 13, cls="quiet", anchor="start"))
    x += 32
    if later != fame and view.outcome is None:
        told += " · " + words.say("fame after this round, as it stands: {fame}", fame=later)
        up = later > fame
        arrow = f"M{x} {y - 1}l5-8 5 8Z" if up else f"M{x} {y - 9}l5 8 5-8Z"
        parts.append(tag("path", cls="good" if up else "bad", d=arrow))
        parts.append(write(str(later), x + 13, y, 13, cls=("good" if up else "bad") + " bold", anchor="start"))
    x += 30
    for count in range(3 if tight else view.row[F.counts], 3):
        if view.row[F.century + count] == composer:
            told += " · " + words.say(
                "Composer of the Century: {composer}, +{points}", composer=words.composer(composer), points=count + 1
            )
            parts.append(shape(-4, x + 5, y - 5, 9, cls="gilt"))
            parts.append(write(f"+{count + 1}", x + 12, y, 13, cls="gilt bold", anchor="start"))
    return group([tag("title", told), *parts])


def _verdicts(view: View, words: Words, composer: int, fame: int, y: float) -> list[str]:
    """The four verdicts of the Critico beside a composer: two steps up, one up, one down, two down."""
    parts = []
    notation = rules.COMPOSER.names[composer]
    for at, steps in enumerate((2, 1, -1, -2)):
        action = f"{'praise' if steps > 0 else 'scorn'} {notation} {abs(steps)}"
        if not 1 <= fame + steps <= 6:
            continue
        x = WIDE - EDGE - 46 * (4 - at)
        tips = [y + 27 - 7 * abs(steps) + 11 * i if steps > 0 else y + 22 + 7 * abs(steps) - 11 * i for i in range(abs(steps))]
        arrows = "".join(
            f"M{x + 7} {tip + 5 if steps > 0 else tip - 5}l6{-8 if steps > 0 else 8:+} 6{8 if steps > 0 else -8:+}Z"
            for tip in tips
        )
        goal = write(str(fame + steps), x + 31, y + 31, 18, cls="bold")
        arrow = tag("path", cls="good" if steps > 0 else "bad", d=arrows)
        parts.append(target(view, words, action, _halo(x, y + 2, 44, 44, 6), arrow, goal))
    return parts


# The Palazzo.


def _palazzo(view: View, words: Words, trace: frozenset[tuple[object, ...]]) -> Panel:
    """The places of the Palazzo, what it pays for a piece just sold, the deck and the discard pile."""
    row = view.row
    places = max(3, view.seats)
    cast = [composer for composer in range(6) if row[F.palazzo] >> composer & 1]
    sold = _last(view, "sells")
    parts = [_head(words.say("Palazzo"), f"{len(cast)}/{places}")]
    for at in range(places):
        x = EDGE + 4 + at * 50.0
        parts.append(_arch(x, 44, 45, 56, "hall great"))
        if at < len(cast):
            composer = cast[at]
            key = f"palazzo-{composer}"
            if sold and sold["composer"] == composer:
                copies = rules.copies_of(list(row), sold["seat"], composer)
                key = _key(view, sold["seat"], composer, copies)
            parts.append(piece(key, _at(x + 22.5, 77, token(composer, 38)), title=words.composer(composer)))
            if ("palazzo", composer) in trace:
                parts.append(_arch(x + 3, 47, 39, 50, "trace"))
    parts.append(tag("path", cls="gilt", d=f"M{EDGE + 1} 100H{EDGE + 2 + places * 50}V104H{EDGE + 1}Z"))
    left = EDGE + 8 + places * 50.0
    if asks(view, rules.PAY):
        wide = (WIDE - EDGE - left - 6) / 2
        parts += [
            _button(view, words, f"take {how}", left + i * (wide + 6), 44, wide, 60)
            for i, how in enumerate(("ducats", "points"))
        ]
    else:
        parts += _piles(view, words, left)
    return _panel("palazzo", words.say("Palazzo"), 114, parts)


def _piles(view: View, words: Words, left: float) -> list[str]:
    """The deck, face down, and the discard pile with what lies there in its title."""
    row = view.row
    deck, discard = (sum(row[field : field + 6]) for field in (F.deck, F.discard))
    there = [f"{words.composer(one)} {row[F.discard + one]}" for one in range(6) if row[F.discard + one]]
    parts = []
    wide = (WIDE - EDGE - left) / 2
    for at, (number, name) in enumerate(((deck, words.say("deck")), (discard, words.say("discard pile")))):
        x = left + wide * (at + 0.5)
        card = "back" if at == 0 else "card"
        stack = [
            tag("rect", cls=card, x=x - 15 - i, y=48 - i, width=30, height=36, rx=4) for i in range(min(3, 1 + number // 10))
        ]
        number_cls = "onfigure" if at == 0 else "oncard bold"
        inside = [
            *stack,
            write(str(number), x - 1, 72, 17, cls=number_cls),
            write(name, x, 102, 12, cls="quiet", within=wide - 2),
        ]
        title = [tag("title", f"{name}: {', '.join(there)}")] if at and there else []
        parts.append(group([*title, *inside], cls="faint" if number == 0 else ""))
    return parts


# The cities.

LARGE, SMALL = 78.0, 58.0
"""The height of a house that is drawn large, and of a small one."""


def _city(view: View, words: Words, city: int, trace: frozenset[tuple[object, ...]]) -> Panel:
    """A city: what is left to build, who stands there, and everybody's house, the reader's own one large."""
    row = view.row
    closed = OPENS_AFTER[city] > row[F.counts]
    rest = [seat for seat in range(view.seats) if seat != view.seat]
    large = ([view.seat] if view.seat is not None else []) if view.seats > 2 else [*range(view.seats)]
    small = [seat for seat in rest if seat not in large]
    height = 66 + LARGE * len(large) + SMALL * ((len(small) + 1) // 2) + 4
    parts = [_at(0, height - 100, _skyline(city), cls="night" if closed else "")]
    if closed:
        counted = COUNTED[row[F.seven_rounds]][OPENS_AFTER[city] - 1]
        parts.append(_drapes(round(height)))
        parts.append(
            write(
                words.say("opens after round {round}", round=ROMAN[counted - 1]), 180, 64 + (height - 64) * 0.36, 15, cls="name"
            )
        )
    parts += [_valance(62), _heading(view, words, city, closed)]
    if closed:
        return _panel(CITY_PANELS[city], words.city(city), height, parts)
    y = 68.0
    # The reader's own house first: the others follow around the table.
    for seat in sorted(large, key=lambda one: one != view.seat):
        parts.append(_house(view, words, seat, city, EDGE, y, True, trace))
        y += LARGE
    for at, seat in enumerate(small):
        parts.append(_house(view, words, seat, city, EDGE + 174 * (at % 2), y + SMALL * (at // 2), False, trace))
    return _panel(CITY_PANELS[city], words.city(city), height, parts)


def _heading(view: View, words: Words, city: int, closed: bool) -> str:
    """The name of a city, its parts in the supply, and its places for figures."""
    row = view.row
    name = rules.CITY.names[city]
    standing = [figure for figure in range(3) if row[F.figure + figure] == city]
    places = STANDING[city]
    first = WIDE - EDGE - 40 * places
    sites = [city * 4 + part for part in range(4) if HALLS[city * 4 + part]]
    tiles = 44.0 * max(places, 1)
    wide = min(72.0, (WIDE - 2 * EDGE - 92 - tiles) / len(sites))
    start = first - 6 - wide * len(sites)

    title = write(words.city(city), EDGE + 4, 31, 21, cls="title oncloth bold", anchor="start", within=start - EDGE - 8)
    size = sum(HALLS[site] for site in sites)
    note = write(words.halls(size), EDGE + 4, 48, 12.5, cls="oncloth", anchor="start", within=start - EDGE - 8)
    visit = [_halo(4, 8, start - 8, 48), _halo(first - 2, 8, 40 * places + 4, 48), title, note]
    for at in range(places):
        x = first + 20 + 40 * at
        visit.append(tag("ellipse", cls="place", cx=x, cy=46, rx=17, ry=7))
        if at < len(standing):
            visit.append(_figure(standing[at], x, 30))
    parts = [target(view, words, f"move {name}", *visit, ask=True)]
    parts += [_tile(view, words, site, start + at * wide, wide - 4, closed) for at, site in enumerate(sites)]
    return group(parts)


def _tile(view: View, words: Words, site: int, x: float, wide: float, closed: bool) -> str:
    """A building part in the supply: its halls, its price, and how many are left."""
    left, halls = view.row[F.supply + site], HALLS[site]
    price = rules.A_HALL * halls
    told = f"{opening(words.part(site))}: {words.halls(halls)}, {words.ducats(price)}, {words.points(price)}, ×{left}"
    inside = [tag("rect", cls="raised", x=x, y=10, width=wide, height=44, rx=5), _halo(x, 10, wide, 44, 5)]
    pitch = min(13.0, (wide - 14) / halls)
    begin = x + wide / 2 - pitch * halls / 2
    for hall in range(halls):
        inside.append(
            _arch(begin + hall * pitch + 1, 15, pitch - 2, 15, "hall great" if site & 3 == 0 and hall == 0 else "hall")
        )
    if site & 3 == 0:
        inside += [tag("rect", cls="column", x=begin + shift, y=16, width=2.6, height=14) for shift in (-1.6, pitch - 1)]
    inside.append(_coin(str(price), x + wide / 2 - 11, 42, 9))
    inside.append(write(f"×{left}", x + wide / 2 + 3, 47, 14, cls="bold" if left else "quiet", anchor="start"))
    state = "dim" if left == 0 else "faint" if closed else ""
    return target(
        view,
        words,
        f"build {rules.CITY.names[site >> 2]} {rules.PART.names[site & 3]}",
        tag("title", told),
        group(inside, cls=state),
        ask=True,
    )


class Hall(NamedTuple):
    """A hall of a house as it is drawn: where, how wide, of which part, built or not, and the piece in it or none."""

    x: float
    wide: float
    part: int
    built: bool
    great: bool
    piece: int


def halls_of(view: View, seat: Seat, city: int, x: float, pitch: float) -> list[Hall]:
    """The halls of a house from left to right, part by part; the pieces of side halls fill them from the left."""
    row = view.row
    built = row[F.built + seat * 6 + city]
    side = row[F.side + seat * 6 + city]
    pieces = iter([number for number in range(7) if side >> number & 1])
    found = []
    for part in range(4):
        for hall in range(HALLS[city * 4 + part]):
            great = part == 0 and hall == 0
            wide = pitch + (6 if great else 0)
            stands = bool(built >> part & 1)
            inside = rules.NONE
            if stands:
                inside = row[F.great + seat * 6 + city] if great else next(pieces, rules.NONE)
            found.append(Hall(x, wide, part, stands, great, inside))
            x += wide
        x += 2
    return found


def _house(
    view: View, words: Words, seat: Seat, city: int, x: float, y: float, large: bool, trace: frozenset[tuple[object, ...]]
) -> str:
    """A house as a façade: the great hall with red columns, then the other halls; lots where nothing stands yet."""
    row = view.row
    most = sum(HALLS[city * 4 : city * 4 + 4])
    room = WIDE - 2 * EDGE - 44 if large else 140
    pitch = min(54.0 if large else 36.0, (room - 10) / most)
    tall = 54 if large else 38
    top = y + (15 if large else 12)
    halls = halls_of(view, seat, city, x + (40 if large else 30), pitch)
    own = seat == view.seat
    parts = [_mark(words, seat, x + (14 if large else 11), y + (28 if large else 18), 26 if large else 21)]
    there = rules.house(list(row), seat, city).bit_count()
    if there and view.outcome is None:
        income = INCOME[there] + rules.doubled(list(row), city, INCOME[there])
        parts.append(_coin(str(income), x + (14 if large else 11), y + (58 if large else 41), 11 if large else 9))
    if not row[F.built + seat * 6 + city]:
        lots = [_arch(one.x + 2, top + 2, one.wide - 4, tall - 2, "lot") for one in halls] if large else []
        return group([*parts, *lots], cls="faint")
    parts += _walls(seat, halls, top, tall)
    stage = row[F.turn] == seat and row[F.city] == city and row[F.asked] == rules.STAGE
    order = [one for one in halls if one.built]
    for one in halls:
        filling = stage and own and one.built and order.index(one) == row[F.hall]
        parts.append(_hall(view, words, seat, city, one, top, tall, filling))
    if ("house", seat, city) in trace:
        wide = halls[-1].x + halls[-1].wide - halls[0].x
        parts.append(tag("rect", cls="trace", x=halls[0].x - 3, y=y, width=wide + 6, height=tall + (18 if large else 15), rx=4))
    if own and row[F.asked] == rules.SCORE and row[F.figure + 2] == city:
        return target(view, words, "score", _halo(x - 4, y, WIDE - 2 * EDGE + 8, LARGE - 4), *parts)
    return group(parts)


def _walls(seat: Seat, halls: Sequence[Hall], top: float, tall: float) -> list[str]:
    """The walls behind the halls: a gable over the main part, a cornice over a wing, in the colour of the seat."""
    parts = []
    for part in range(4):
        mine = [one for one in halls if one.part == part and one.built]
        if not mine:
            continue
        left, right = mine[0].x, mine[-1].x + mine[-1].wide
        parts.append(tag("rect", cls="wall", x=left, y=top, width=right - left, height=tall + 1))
        if part == 0:
            gable = f"M{left - 2:.1f} {top:.1f}L{(left + right) / 2:.1f} {top - 11:.1f}L{right + 2:.1f} {top:.1f}Z"
            parts.append(tag("path", cls=f"seat{seat} roof", d=gable))
        else:
            parts.append(tag("rect", cls=f"seat{seat} roof", x=left - 1, y=top - 4, width=right - left + 2, height=4))
        parts.append(tag("rect", cls="coin", x=left - 2, y=top + tall, width=right - left + 4, height=3))
    return parts


def _hall(view: View, words: Words, seat: Seat, city: int, one: Hall, top: float, tall: float, filling: bool) -> str:
    """A hall with its piece; lit if the reader may sell the piece, or if this is the hall being filled."""
    if not one.built:
        return _arch(one.x + 2, top + 2, one.wide - 4, tall - 2, "lot")
    inset = (5 if tall > 40 else 3) if one.great else 1.5
    arch = _arch(one.x + inset, top + 2, one.wide - 2 * inset, tall - 2, "hall great" if one.great else "hall")
    parts = [arch]
    if one.great:
        parts += [
            tag("rect", cls="column", x=at, y=top + 3, width=inset - 1, height=tall - 3)
            for at in (one.x + 0.5, one.x + one.wide - inset + 0.5)
        ]
    middle = one.x + one.wide / 2
    size = min(one.wide - 2 * inset + 3, tall - 4, 44)
    if filling:
        halo = _halo(one.x, top, one.wide, tall, 4)
        return target(view, words, "empty", *parts, halo, write("?", middle, top + tall * 0.68, 20, cls="gilt bold"))
    if one.piece == rules.NONE:
        cost = write("−1", middle, top + tall * 0.66, 15 if tall > 40 else 12, cls="cost bold")
        return group(
            [tag("title", words.say("an empty hall costs 1 point at a count")), *parts, *([] if view.outcome else [cost])]
        )
    chip = _at(middle, top + tall - size / 2 - 2, token(one.piece, round(size), seat))
    place = _place(view, seat, city, one.piece)
    shown = piece(_key(view, seat, one.piece, place), chip, title=opening(words.piece(one.piece)))
    if seat == view.seat and one.piece != rules.HOUSE and view.row[F.asked] == rules.SELL:
        halo = _halo(one.x, top, one.wide, tall, 4)
        return target(
            view, words, f"sell {rules.PIECE.names[one.piece]} {rules.CITY.names[city]}", *parts, halo, shown, ask=True
        )
    return group([*parts, shown])


def _place(view: View, seat: Seat, city: int, number: int) -> int:
    """Which of a seat's copies of a piece is the one in a city, counted through its houses."""
    return sum(rules.house(list(view.row), seat, one) >> number & 1 for one in range(city))


SKYLINES: Final = (
    # Venezia: the Salute, the campanile, a bridge over the canal.
    "M0 100V84H30V62H40V84H58V58C58 34 92 34 92 58V84H108V70H124V30L130 12L136 30V84H170C182 62 232 62 244 84H262V60H300V84"
    "H318V68H360V100Z",
    # Wien: roofs, the great spire, a wheel.
    "M0 100V76L24 58L48 76H70V56H84V40L92 4L100 40V56H150V72H176V60H206V76H236A32 32 0 1 1 300 76H322V64H360V100Z",
    # Berlin: the gate with its columns and the quadriga.
    "M0 100V80H70V58H84V46H150V38H158L164 28H196L202 38H210V46H276V58H290V80H360V100Z"
    "M98 92V58H118V92ZM134 92V58H154V92ZM170 92V58H190V92ZM206 92V58H226V92ZM242 92V58H262V92Z",
    # London: the clock tower, a dome, a bridge.
    "M0 100V82H36V32L43 20L50 6L57 20L64 32V82H110V70H132V60C132 38 176 38 176 60V70H198V82H226V50H238V82H290V50H302V82"
    "H360V100Z",
    # Paris: the opera house with its dome, and the tower.
    "M0 100V76H40V60H68C70 36 122 36 124 60H152V76H210C236 76 244 52 250 6H256C262 52 270 76 296 76H320V66H360V100Z",
    # Milano: the cathedral and its pinnacles.
    "M0 100V84H60V66L68 46L76 66L86 50L96 34L106 50L114 40L124 26L134 40L146 24L158 4L170 24L182 40L192 26L202 40L210 34"
    "L220 50L230 66L238 46L246 66V84H360V100Z",
)
"""The cities against the sky, as paths 360 wide and 100 high."""


@cache
def _drapes(tall: int) -> str:
    """The curtain of a city that is still closed, drawn aside a little on both sides."""
    low, knee, hip = tall - 1.5, round(tall * 0.6), round(tall * 0.4)
    half = f"M1 54V{low}H58C70 {knee + 20} 40 {knee} 70 {hip + 10}C92 {hip - 10} 108 80 112 54Z"
    folds = ""
    for x in (12, 34, 56, 78):
        foot = round(x * 0.55)
        folds += f"M{x} 54C{x + 2} {hip} {foot + 4} {knee} {foot} {low}h9C{foot + 14} {knee} {x + 10} {hip} {x + 9} 54Z"
    side = [tag("path", cls="drape", d=half), tag("path", cls="fold", d=folds)]
    return group([group(side), tag("g", *side, transform=f"translate({WIDE} 0) scale(-1 1)")], cls="faint")


@cache
def _skyline(city: int) -> str:
    return tag("path", cls="sky", d=SKYLINES[city], fill_rule="evenodd", transform="translate(6 2) scale(0.967 0.93)")


# The players.

NAME: Final = 120
"""The room for a name; what is longer is made smaller, then cut short."""


def _player(view: View, words: Words, seat: Seat) -> Panel:
    """A player: points, purse or closed screen, what the halls would bring, and the pieces behind the screen."""
    row = view.row
    opened = _is_open(view, seat)
    name = words.player(seat)
    winner = view.outcome is not None and seat in view.outcome.winners
    parts = [_mark(words, seat, EDGE + 16, 24, 27)]
    parts.append(write(name, EDGE + 38, 30, 20, cls="name bold", anchor="start", within=NAME))
    notes = [words.say("you")] if seat == view.seat else []
    if winner:
        notes.append(words.say("winner"))
    elif view.outcome is None and row[F.asked] != rules.BID:
        notes.append(words.say("roles {hired}/{most}", hired=row[F.hired + seat], most=rules.most_roles(list(row))))
        if row[F.passed] >> seat & 1:
            notes.append(words.say("has ended"))
    start = EDGE + 48 + min(1.1 * measure(name, 20), NAME)
    parts.append(write(" · ".join(notes), start, 30, 13, cls="quiet", anchor="start", within=WIDE - 84 - start))
    if winner:
        parts.append(tag("path", cls="gilt", d=f"M{WIDE - 112} 30l-4-16 9 7 6-11 6 11 9-7-4 16Z"))
    parts.append(write(str(row[F.points + seat]), WIDE - EDGE - 4, 32, 28, cls="title bold", anchor="end"))
    parts.append(write(_noun(words.points(row[F.points + seat])), WIDE - EDGE - 4, 46, 12, cls="quiet", anchor="end"))
    parts += _purse(view, words, seat, opened)
    height = 97.0
    if view.outcome is not None:
        parts += _left_over(view, words, seat)
    elif opened:
        behind, tall = _behind(view, words, seat, 95)
        parts += behind
        height += tall
    return _panel(PLAYER_PANELS[seat], name, height, parts, seat in view.to_act)


def _purse(view: View, words: Words, seat: Seat, opened: bool) -> list[str]:
    """Ducats or a closed screen, and what the halls would bring; after the end the ducats alone."""
    row = view.row
    parts = []
    if opened:
        parts.append(_coin(str(row[F.ducats + seat]), EDGE + 41, 62, 15))
        parts.append(write(_noun(words.ducats(row[F.ducats + seat])), EDGE + 41, 89, 12, cls="quiet"))
    else:
        parts.append(_at(EDGE + 41, 61, _paravent()))
        parts.append(write(words.say("screen closed"), EDGE + 41, 89, 12, cls="quiet", within=94))
    if view.outcome is not None:
        return parts
    told = forecast(row, seat)
    empty = f"−{told.empty}" if told.empty else "0"
    cells = (
        (f"+{told.income}", words.say("income"), "bold"),
        (f"{told.points:+}".replace("-", "−") if told.points else "0", words.say("next count"), "bold"),
        (empty, words.count("empty hall", "empty halls", told.empty), "bold bad" if told.empty else "bold"),
    )
    parts_of_count = words.say(
        "great halls {great}, Composer of the Century {century}, empty halls {empty}",
        great=told.great,
        century=told.century,
        empty=empty,
    )
    titles = ("", parts_of_count, "")
    for at, ((number, label, cls), title) in enumerate(zip(cells, titles, strict=True)):
        x = 138 + at * 83
        lines = [write(number, x, 70, 19, cls=cls), write(label, x, 89, 12, cls="quiet", within=84)]
        parts.append(group([*([tag("title", title)] if title else []), *lines]))
    return parts


@cache
def _paravent() -> str:
    """A closed screen of three leaves."""
    leaves = [
        tag("path", cls="screen", d=f"M{x} {-11 + lift}l14 {-3 + 6 * (at % 2)}v22l-14 {3 - 6 * (at % 2)}Z")
        for at, (x, lift) in enumerate(((-21, 0), (-7, -3), (7, 0)))
    ]
    return group(leaves)


def _behind(view: View, words: Words, seat: Seat, y: float) -> tuple[list[str], float]:
    """The pieces behind an open screen, a chip for each kind; while rearranging, those still in the halls as well."""
    row = list(view.row)
    own = seat == view.seat
    arranging = own and asks(view, rules.REARRANGE, rules.STAGE)
    kinds = [
        number
        for number in range(7)
        if row[F.screen + seat * 7 + number] or (arranging and rules.pieces_of(row, seat) >> number & 1)
    ]
    parts = [tag("path", cls="rule", d=f"M{EDGE + 4} {y + 2}H{WIDE - EDGE - 4}")]
    if not kinds:
        parts.append(write(words.say("nothing behind the screen"), 180, y + 22, 13, cls="quiet"))
        return parts, 32
    size = 38 if own else 30
    tall = 46 if own else 36
    for at, number in enumerate(kinds):
        copies = row[F.screen + seat * 7 + number]
        x, middle = EDGE + 24 + at * 48.0, y + 8 + tall / 2
        halls = sum(rules.house(row, seat, city) >> number & 1 for city in range(6))
        chips = []
        for copy in range(copies):
            chip = _at(x - 2 + 3 * min(copy, 2) - min(copies - 1, 2) * 1.5, middle, token(number, size, seat))
            chips.append(piece(_key(view, seat, number, halls + copy), chip, title=opening(words.piece(number))))
        if copies == 0:
            chips.append(_at(x - 2, middle, token(number, size, seat)))
        if copies > 1:
            chips.append(_count(copies, x + size / 2 - 4, middle + size / 2 - 6))
        if arranging:
            parts.append(
                target(view, words, f"place {rules.PIECE.names[number]}", _halo(x - 25, y + 7, 46, 48), *chips, ask=True)
            )
        elif own and row[F.asked] == rules.SELL and number != rules.HOUSE:
            parts.append(
                target(view, words, f"sell {rules.PIECE.names[number]} screen", _halo(x - 25, y + 7, 46, 48), *chips, ask=True)
            )
        else:
            parts += chips
    return parts, tall + 15


def _left_over(view: View, words: Words, seat: Seat) -> list[str]:
    """The pieces left behind a screen when all is over."""
    held = [number for number in range(7) for _ in range(view.row[F.screen + seat * 7 + number])]
    pitch = min(34.0, 190 / max(1, len(held)))
    counts = [held[:at].count(number) for at, number in enumerate(held)]
    parts = []
    for at, number in enumerate(held):
        halls = sum(rules.house(list(view.row), seat, city) >> number & 1 for city in range(6))
        chip = _at(EDGE + 92 + at * pitch, 66, token(number, 30, seat))
        parts.append(piece(_key(view, seat, number, halls + counts[at]), chip, title=opening(words.piece(number))))
    return parts


def _count(number: int, x: float, y: float) -> str:
    """How many of a thing there are, on a small plate."""
    plate = tag("rect", cls="card", x=x - 9, y=y - 9, width=20, height=17, rx=5)
    return group([plate, write(f"×{number}", x + 1, y + 4.5, 13, cls="oncard bold")])


# The result.


def _score(view: View, words: Words) -> Panel:
    """Every part of everybody's points, and the winner."""
    assert view.outcome is not None
    seats = range(view.seats)
    first = WIDE - EDGE - 18 - 44 * (view.seats - 1)
    parts = [_head(words.say("Result"))]
    parts += [_mark(words, seat, first + 44 * seat, 54, 24) for seat in seats]
    y = 84.0
    for number, line in enumerate(rules.PARTS):
        lines = wrap(words.say(line.meaning), first - EDGE - 34, 13)
        for at, text in enumerate(lines):
            parts.append(write(text, EDGE + 4, y + 15 * at, 13, cls="quiet", anchor="start"))
        for seat in seats:
            value = view.row[F.earned + seat * 6 + number]
            parts.append(write(str(value).replace("-", "−"), first + 44 * seat, y, 16, cls="bad" if value < 0 else ""))
        y += 15 * len(lines) + 8
    parts.append(tag("path", cls="rule", d=f"M{EDGE + 4} {y - 12}H{WIDE - EDGE - 4}"))
    parts.append(write(opening(_noun(words.points(2))), EDGE + 4, y + 10, 16, cls="name bold", anchor="start"))
    for seat in seats:
        won = seat in view.outcome.winners
        total = str(view.row[F.points + seat]).replace("-", "−")
        parts.append(write(total, first + 44 * seat, y + 11, 20, cls="title bold" if won else "bold"))
        if won:
            parts.append(tag("path", cls="gilt", d=f"M{first + 44 * seat - 10} {y + 30}l-3-12 7 5 6-9 6 9 7-5-3 12Z"))
    return _panel("score", words.say("Result"), y + 42, parts)
