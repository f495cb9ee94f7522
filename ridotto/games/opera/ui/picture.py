"""A view of Opera as panels and items: a panel for each city, the fame ladder, budget and roles, the Palazzo, and the players.

Everything is worked out from the view's own row. At a table with closed screens other people's ducats and the pieces
behind their screens are not drawn. Items are kept by the few numbers that they show: after an action most of them are the same
objects as before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import takewhile
from math import inf
from typing import Final, NamedTuple

from ridotto.core.view import UNDONE, Seen, View
from ridotto.engine.fields import Seat
from ridotto.games.opera import rules
from ridotto.games.opera.components import HALLS, INCOME, OPENS_AFTER
from ridotto.games.opera.rules import A, F
from ridotto.games.opera.ui import picture_looks as looks
from ridotto.games.opera.ui import sketch
from ridotto.games.opera.ui.messages import COUNTED
from ridotto.games.opera.ui.picture_looks import EDGE, LARGE, LEVEL, SMALL, STYLE, WIDE, token
from ridotto.games.opera.ui.sketch import ROMAN, Forecast
from ridotto.games.opera.ui.words import Words
from ridotto.present.narrator import mark, opening
from ridotto.present.scene import Item, Layer, Move
from ridotto.present.svg import Panel, group, tag, wrap, write

__all__ = ["COLUMNS", "STYLE", "board", "moves", "own", "preview", "shared", "vignette"]

CITY_PANELS: Final = tuple(f"city-{name}" for name in rules.CITY.names)
PLAYER_PANELS: Final = tuple(f"player-{seat}" for seat in range(rules.MOST_SEATS))
COLUMNS: Final[tuple[tuple[str, ...], ...]] = (
    ("rounds", "score", "budget", "palazzo"),
    CITY_PANELS[:3],
    CITY_PANELS[3:],
    ("ladder", *PLAYER_PANELS),
)
"""The panels of a wide picture, column by column."""

PURPOSES: Final = (
    mark("buy 2, rearrange"),
    mark("build 1 or 2 parts"),
    mark("sell 1 to the Palazzo"),
    mark("double a city's income"),
    mark("raise or lower fame"),
    mark("score in a city"),
)
"""What each role is good for, in a few words."""
HEIGHTS: Final = {"rounds": 70, "budget": 42 + 11 * LEVEL + 62, "ladder": 42 + 6 * looks.LADDER + 6, "palazzo": 114}
"""How tall the panels are that are the same in every match."""


@dataclass(frozen=True, eq=False)
class Language:
    """Words without names of players. There is one of these for each language, and items are kept by which one it is."""

    words: Words


@cache
def _language(words: Words) -> Language:
    return Language(words)


# The picture.


def board(view: View, words: Words) -> dict[str, str]:
    """The frames, the heads and what is printed: all panels except the cities and the players, whose size may change."""
    language = _language(words)
    table = {name: [looks.frame(height)] for name, height in HEIGHTS.items()}
    table["budget"] += [looks.head(words.say("Budget and roles")), looks.levels()]
    table["ladder"] += [looks.head(words.say("Fame and offer"))]
    for fame in range(1, 7):
        step = tag("rect", cls="raised", x=EDGE, y=_step(fame), width=WIDE - 2 * EDGE, height=looks.STEP, rx=6)
        table["ladder"].append(step)
    places = max(3, view.seats)
    table["palazzo"] += [looks.head(words.say("Palazzo"))]
    table["palazzo"] += [looks.arch(_niche(at), 44, 45, 56, "hall great") for at in range(places)]
    table["palazzo"] += [tag("path", cls="gilt", d=f"M{EDGE + 1} 100H{EDGE + 2 + places * 50}V104H{EDGE + 1}Z")]
    table["score"] = [_score_board(language, view.seats)]
    return {name: "".join(parts) for name, parts in table.items()}


def shared(view: View, words: Words) -> Layer:
    """What everybody sees: closed screens, and no house larger than the others."""
    language = _language(words.nameless())
    row, is_over = view.row, view.is_played_out
    halls = _halls(row[F.great : F.great + 24], row[F.side : F.side + 24])
    names = tuple(words.player(seat) for seat in range(view.seats))
    items = [*_rounds(language, row[F.seven_rounds], row[F.round], row[F.counts], row[F.century : F.century + 3], is_over)]
    items += _score(view, language) if is_over else _budget(view, names, language)
    items += _ladder(view, language, halls)
    items += _palazzo(language, view.seats, row[F.palazzo], sum(row[F.deck : F.deck + 6]), row[F.discard : F.discard + 6])
    for city in range(6):
        opens = _opens(view, city)
        items += _heading(
            language, city, _city_height(view.seats, None), opens, row[F.supply + city * 4 : F.supply + city * 4 + 4]
        )
        if opens < 0:
            items += _houses(language, view.seats, None, *_city(view, city, halls))
    items += _figures(row[F.figure : F.figure + 3], is_over)
    for seat in range(view.seats):
        items += _player(view, names, language, halls, seat, None)
    items += [_traced(view, one) for one in _trace(view)]
    return Layer(_panels(view, names, language), items)


def own(view: View, words: Words) -> Layer:
    """The reader's own houses in front and large, their own player, their bid, and what they are asked."""
    assert view.seat is not None
    language = _language(words.nameless())
    row, seat = view.row, view.seat
    halls = _halls(row[F.great : F.great + 24], row[F.side : F.side + 24])
    names = tuple(words.player(one) for one in range(view.seats))
    items: list[Item] = []
    height = _city_height(view.seats, seat)
    for city in range(6):
        opens = _opens(view, city)
        if view.seats > 2:
            items.append(_back(language, city, height, opens))
        if opens < 0:
            items += _houses(language, view.seats, seat, *_city(view, city, halls))
    items += _player(view, names, language, halls, seat, words.spoken_to(seat))
    if view.seats > 2:
        items += [_traced(view, one) for one in _trace(view) if one[:2] == ("house", seat)]
    if view.outcome is None:
        items += _bids(view)
        items += _answers(view, words, language)
        items += _verdicts(view, language, halls)
        items += _payments(view, words)
        items += _plots(view)
    return Layer(_panels(view, names, language), items)


def preview(view: View, words: Words, action: int) -> dict[str, Sequence[Item]]:
    """Nothing is drawn ahead; what a rearrangement would bring is told by `page.trial`."""
    return {}


def vignette(words: Words) -> tuple[list[str], str]:
    """An opera house whose halls are full of composers."""
    return looks.opera_house()


def _panels(view: View, names: tuple[str, ...], language: Language) -> Sequence[Panel]:
    """The panels, the most important first: the order on a phone, where closed cities come last."""
    heights = tuple(_player_height(view, seat) for seat in range(view.seats))
    return _panels_of(language, names, heights, view.seat, view.row[F.counts], view.is_played_out)


@lru_cache(512)
def _panels_of(
    language: Language, names: tuple[str, ...], heights: tuple[int, ...], reader: Seat | None, counts: int, is_over: bool
) -> Sequence[Panel]:
    words = language.words
    tall = _city_height(len(names), reader)
    players = [Panel(PLAYER_PANELS[seat], name, WIDE, heights[seat]) for seat, name in enumerate(names)]
    result = Panel("score", words.say("Result"), WIDE, _score_height(language, len(names)))
    budget = Panel("budget", words.say("Budget and roles"), WIDE, HEIGHTS["budget"])
    return (
        Panel("rounds", words.say("Rounds"), WIDE, HEIGHTS["rounds"]),
        result if is_over else budget,
        Panel("ladder", words.say("Fame and offer"), WIDE, HEIGHTS["ladder"]),
        *(one for seat, one in enumerate(players) if seat == reader),
        *(
            Panel(CITY_PANELS[city], words.city(city), WIDE, tall)
            for city in sorted(range(6), key=lambda city: OPENS_AFTER[city] > counts)
        ),
        Panel("palazzo", words.say("Palazzo"), WIDE, HEIGHTS["palazzo"]),
        *(one for seat, one in enumerate(players) if seat != reader),
    )


def _letters(language: Language, seat: Seat) -> str:
    """As many letters of a seat's colour as tell it from the others."""
    return _all_letters(language)[seat]


@cache
def _all_letters(language: Language) -> tuple[str, ...]:
    return tuple(sketch.letters(language.words, seat) for seat in range(rules.MOST_SEATS))


def _noun(amount: str) -> str:
    """What an amount is of: "3 points" without its number."""
    return amount.lstrip("-0123456789 ")


def _is_open(view: View, seat: Seat) -> bool:
    """Whether what lies behind a screen is drawn."""
    return bool(view.row[F.screens]) or view.outcome is not None or view.seat == seat


def asks(view: View, *questions: int) -> bool:
    """Whether the reader is asked one of these questions now."""
    return view.seat in view.to_act and view.row[F.asked] in questions


# Pieces: where they are, and what they are called.


class Halls(NamedTuple):
    """The pieces in all halls, by city and seat. Numbers of copies have four bits for each piece."""

    before: tuple[tuple[int, ...], ...]
    """How many copies of the pieces in a house the same seat has in the houses before it."""
    copies: tuple[int, ...]
    """How many copies each seat has in its halls."""
    times: tuple[int, ...]
    """How often each piece is performed."""


SPREAD: Final = tuple(sum((bits >> piece & 1) << 4 * piece for piece in range(7)) for bits in range(128))
"""A set of pieces as numbers of copies."""


@lru_cache(1024)
def _halls(great: tuple[int, ...], side: tuple[int, ...]) -> Halls:
    copies, before = [0] * rules.MOST_SEATS, []
    for city in range(6):
        before.append([0] * rules.MOST_SEATS)
        for seat in range(rules.MOST_SEATS):
            there = SPREAD[_pieces(great[seat * 6 + city], side[seat * 6 + city])]
            before[city][seat] = copies[seat] & there * 15
            copies[seat] += there
    times = tuple(sum(held >> 4 * piece & 15 for held in copies) for piece in range(7))
    return Halls(tuple(map(tuple, before)), tuple(copies), times)


def _pieces(great: int, side: int) -> int:
    """The pieces in a house."""
    return side | (1 << great if great != rules.NONE else 0)


@cache
def _key(seat: Seat, piece: int, copy: int) -> str:
    """The key of one of a seat's pieces. Copies are alike: they are counted through the halls and then behind the screen."""
    return f"{seat}-{rules.PIECE.names[piece]}-{copy}"


def moves(view: View, seen: Sequence[Seen]) -> list[Move]:
    """Where pieces came from that were bought, sold, given away, drawn or discarded.

    A seat's pieces are counted: when one leaves a hall, those after it get the key of the one before, and stay where they are.
    Pieces that are rearranged keep their keys.
    """
    if any(one.event.name == UNDONE.name for one in seen):
        return []
    row, found = view.row, list[Move]()
    offer = list(row[F.offer : F.offer + 6])
    halls = _halls(row[F.great : F.great + 24], row[F.side : F.side + 24])
    cities = {one.values["seat"]: one.values["city"] for one in seen if one.event.name == "scores"}

    def arrival(seat: Seat, piece: int) -> str:
        """Where a piece lies that a seat got."""
        copies = (halls.copies[seat] >> 4 * piece & 15) + row[F.screen + seat * 7 + piece]
        return _key(seat, piece, copies - 1) if _is_open(view, seat) and copies else f"purse-{seat}"

    def departure(seat: Seat, piece: int, city: int) -> str:
        """Where a piece lay that left a hall, or with no city a screen; the others of its kind are counted anew."""
        held = halls.copies[seat] >> 4 * piece & 15
        is_open = _is_open(view, seat)
        copies = held + (row[F.screen + seat * 7 + piece] if is_open else 0)
        if city == rules.NONE:
            return _key(seat, piece, copies) if is_open else f"purse-{seat}"
        first = sum(_pieces(row[F.great + at], row[F.side + at]) >> piece & 1 for at in range(seat * 6, seat * 6 + city))
        found.extend(Move(_key(seat, piece, copy + 1), _key(seat, piece, copy)) for copy in range(first, copies))
        return _key(seat, piece, first)

    # The last event first: so it is known how many pieces were on offer at each moment.
    for one in reversed(seen):
        name, values = one.event.name, one.values
        piece, seat = values.get("composer", 0), values.get("seat", 0)
        if name in ("lays_out", "offers", "adds"):
            offer[piece] -= values["pieces"]
            found += [Move("deck", f"offer-{piece}-{offer[piece] + copy}") for copy in range(values["pieces"])]
        elif name == "unsold":
            found += [Move(f"offer-{piece}-{copy}", "discard") for copy in range(values["pieces"])]
            offer[piece] += values["pieces"]
        elif name == "buys":
            found.append(Move(f"offer-{piece}-{offer[piece]}", arrival(seat, piece)))
            offer[piece] += 1
        elif name == "sells":
            found.append(Move(departure(seat, piece, values["source"] - 1), f"palazzo-{piece}"))
        elif name == "gives":
            found.append(Move(departure(seat, piece, cities[seat]), arrival(values["receiver"], piece)))
        elif name == "discards":
            found.append(Move(departure(seat, piece, cities[seat]), "discard"))
        elif name == "loses":
            departure(seat, piece, cities[seat])
        elif name in ("empties", "clears"):
            found += [Move(f"palazzo-{piece}", "discard") for piece in range(6) if values["composers"] >> piece & 1]
    return found


# The last move.


def _trace(view: View) -> list[tuple[str, int, int]]:
    """What the last entry of the log touched: the kind of thing, and its numbers, each once."""
    found: dict[tuple[str, int, int], None] = {}
    for one in takewhile(lambda one: one.ply == view.ply - 1, reversed(view.seen)):
        name, values = one.event.name, one.values
        if name in ("builds", "stages", "scores"):
            found["house", values["seat"], values["city"]] = None
        elif name in ("judges", "shifts", "climbs", "buys"):
            found["composer", values["composer"], 0] = None
        elif name == "sells" and view.row[F.palazzo] >> values["composer"] & 1:
            found["palazzo", values["composer"], 0] = None
    is_built = {key for key in found if key[0] != "house" or view.row[F.built + key[1] * 6 + key[2]]}
    return [key for key in found if key in is_built]


def _traced(view: View, touched: tuple[str, int, int]) -> Item:
    """A line around something that the last entry touched."""
    kind, first, second = touched
    if kind == "house":
        house = f"{first}-{rules.CITY.names[second]}"
        _, _, is_large = _lot(view.seats, view.seat, first)
        halls = looks.halls_drawn(second, 0, rules.NONE, 0, is_large)
        wide = halls[-1].x + halls[-1].wide - halls[0].x
        return Item(f"trace-{house}", f"house-{house}", looks.trace(wide + 6, 72 if is_large else 53, 4), halls[0].x - 3)
    if kind == "composer":
        look = looks.trace(WIDE - 2 * EDGE - 4, looks.STEP - 4, 5)
        return Item(f"trace-composer-{first}", f"composer-{first}", look, -62, 2 - looks.STEP / 2)
    at = (view.row[F.palazzo] & (1 << first) - 1).bit_count()
    return Item(f"trace-palazzo-{first}", "palazzo", looks.arch(0, 0, 39, 50, "trace"), _niche(at) + 3, 47)


def _in_effect(view: View) -> Iterator[Seen]:
    """The events that were not taken back, the last one first."""
    upto = inf
    for one in reversed(view.seen):
        if one.ply <= upto:
            if one.event.name == UNDONE.name:
                upto = one.values["ply"]
            else:
                yield one


# The rounds.


@lru_cache(256)
def _rounds(language: Language, seven: int, number: int, counts: int, century: tuple[int, ...], is_over: bool) -> list[Item]:
    """The track of rounds, with the Composers of the Century behind each episode."""
    words, counted = language.words, COUNTED[seven]
    last = counted[-1]
    cell = (WIDE - 2 * EDGE - 3 * 38) / last
    x = float(EDGE)
    items = []
    for one in range(1, last + 1):
        if one == number and not is_over:
            title = words.say("round {number} of {rounds}", number=number, rounds=last)
            items.append(Item(f"round-{one}", "rounds"))
            items.append(Item("round", "rounds", looks.round_box(one, cell, True), x, 14, title=title))
        else:
            cls = "dim" if one < number or is_over else ""
            items.append(Item(f"round-{one}", "rounds", looks.round_box(one, cell, False), x, 14, cls=cls))
        x += cell
        if one in counted:
            count = counted.index(one)
            cls = "dim" if count < counts else ""
            title = _told_century(words, century[count], count + 1)
            items.append(
                Item(f"century-{count + 1}", "rounds", looks.medal(century[count], count + 1), x + 19, 29, 1, cls, title)
            )
            x += 38
    return items


def _told_century(words: Words, composer: int, points: int) -> str:
    return words.say("Composer of the Century: {composer}, +{points}", composer=words.composer(composer), points=points)


# Budget and roles.


def _budget(view: View, names: tuple[str, ...], language: Language) -> list[Item]:
    """The budget table with everybody's marker, beside the role cards that it pays for."""
    row = view.row
    phase = language.words.say("bids") if row[F.asked] == rules.BID else language.words.say("action phase")
    items = [_phase(language, phase), Item("bids", "budget"), *_markers(view, names, language)]
    items += _roles(language, row[F.taken], row[F.role], _hirers(view))
    return [*items, _pending(view, ", ".join(names[seat] for seat in view.to_act), language)] if view.to_act else items


def _phase(language: Language, text: str) -> Item:
    """Where the round stands."""
    return Item("phase", "budget", looks.note(text, language.words.say("Budget and roles")))


def _pending(view: View, players: str, language: Language) -> Item:
    """Whom the table waits for."""
    words, is_bidding = language.words, view.row[F.asked] == rules.BID
    text = (
        words.say("still to bid: {players}", players=players) if is_bidding else words.say("to act: {players}", players=players)
    )
    return Item("pending", "budget", looks.line(text, 14, "quiet", within=336), 180, HEIGHTS["budget"] - 26)


def _level(level: int) -> int:
    """Where a level of the budget table begins."""
    return 42 + (10 - level) * LEVEL


def _markers(view: View, names: tuple[str, ...], language: Language) -> Iterator[Item]:
    """The budget markers, each on its level in the order of the table."""
    row = view.row
    there: dict[int, int] = {}
    columns = {}
    for at in range(view.seats):
        seat = row[F.order + at]
        level = row[F.level + seat]
        columns[seat] = there[level] = there.get(level, -1) + 1
    for seat in range(view.seats):
        state = looks.IDLE
        if row[F.passed] >> seat & 1:
            state = looks.PASSED
        elif row[F.flipped] >> seat & 1:
            state = looks.FLIPPED
        elif row[F.asked] == rules.BID and row[F.has_bid] >> seat & 1:
            state = looks.HAS_BID
        yield _marker(language, names[seat], seat, row[F.level + seat], columns[seat], state)


@lru_cache(2048)
def _marker(language: Language, name: str, seat: Seat, level: int, column: int, state: int) -> Item:
    words = language.words
    title = f"{name}: " + words.say("level {level}", level=level)
    if state == looks.PASSED:
        title += " · " + words.say("performance ended")
    elif state == looks.FLIPPED:
        title += " · " + words.say("done with this role")
    elif state == looks.HAS_BID:
        title += " · " + words.say("bid made")
    x, y = EDGE + 28 + looks.PITCH * (column + 0.5), _level(level) + LEVEL / 2
    return Item(f"marker-{seat}", "budget", looks.marker(seat, _letters(language, seat), state), x, y, title=title)


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


def _bids(view: View) -> Iterator[Item]:
    """The levels that the reader may bid for, or the bid that they made."""
    row, seat = view.row, view.seat
    assert seat is not None
    if row[F.asked] != rules.BID:
        return
    level = row[F.level + seat]
    if row[F.has_bid] >> seat & 1:
        yield Item("bid", "budget", looks.bid(row[F.bid + seat]), EDGE, _level(level + row[F.bid + seat]))
        return
    for goal in range(level, rules.TOP_LEVEL + 1):
        best, worst = _places(view, seat, goal)
        look = looks.level(goal - level, f"{best}" if best == worst else f"{best}–{worst}")
        yield Item(f"bid-{goal}", "bids", look, EDGE, _level(goal), action=A.bid + goal - level, ask=True)


def _hirers(view: View) -> tuple[Seat, ...]:
    """Who has hired each role in this round, as far as the view tells; none for a role that is not taken."""
    row = view.row
    found = [rules.NONE] * 6
    unknown = row[F.taken]
    if row[F.role] != rules.NONE:
        found[row[F.role]] = row[F.hirer]
        unknown &= ~(1 << row[F.role])
    if unknown:
        for one in _in_effect(view):
            if one.event.name == "opens":
                break
            if one.event.name == "hires" and unknown >> one.values["role"] & 1:
                found[one.values["role"]] = one.values["seat"]
                unknown &= ~(1 << one.values["role"])
                if not unknown:
                    break
    return tuple(found)


@lru_cache(1024)
def _roles(language: Language, taken: int, playing: int, hirers: tuple[Seat, ...]) -> list[Item]:
    """The role cards: taken, being played or to be hired; with who has hired them, if that is known."""
    words, items = language.words, []
    for role, name in enumerate(rules.ROLE.names):
        cls = "playing" if role == playing else "taken" if taken >> role & 1 else ""
        look = looks.card(role, words.say(PURPOSES[role]))
        key, title = f"role-{name}", words.role(role)
        items.append(Item(key, "budget", look, 204, 42 + role * 81, 1, cls, title, A.hire + role, ask=True))
        if hirers[role] != rules.NONE:
            hirer = hirers[role]
            items.append(Item(f"hirer-{name}", key, looks.seat_sign(hirer, _letters(language, hirer), 21), 13, 46))
        elif taken >> role & 1:
            items.append(Item(f"hirer-{name}", key, looks.STRUCK))
    return items


@lru_cache(1024)
def _figures(cities: tuple[int, ...], is_over: bool) -> list[Item]:
    """The three figures: each in a city, or on its card before its first move."""
    items = []
    for figure, city in enumerate(cities):
        name = rules.FIGURE.names[figure]
        if city == rules.NONE:
            if not is_over:
                items.append(Item(f"figure-{name}", f"role-{name}", looks.figure(figure), 132, 41, 0.75, title=name.title()))
            continue
        x = looks.heading(city).first + 20 + 40 * cities[:figure].count(city)
        visit = f"visit-{rules.CITY.names[city]}"
        items.append(Item(f"figure-{name}", visit, looks.figure(figure), x, 30, title=name.title()))
    return items


QUIET: Final = (A.end, A.decline, A.stop, A.keep, A.withhold)
"""The answers without a thing on the table."""


def _answers(view: View, words: Words, language: Language) -> Iterator[Item]:
    """The reader's answers as buttons where nothing on the table stands for them, or the bid that they made."""
    row, seat = view.row, view.seat
    assert seat is not None
    if asks(view, rules.BID):
        yield _phase(language, words.say("your bid, your place after it"))
    elif row[F.has_bid] >> seat & 1:
        names = ", ".join(words.player(one) for one in view.to_act)
        text = words.say("your bid: {ducats}", ducats=row[F.bid + seat])
        text += " · " + words.say("still to bid: {players}", players=names)
        yield Item("pending", "budget", looks.line(text, 14, within=336), 180, HEIGHTS["budget"] - 26)
    answers = [action for action in view.legal if action in QUIET]
    if not answers:
        if seat in view.to_act:
            yield _pending(view, words.names(view.to_act), language)
        return
    if A.keep in answers:
        answers.append(A.empty)
    yield Item("pending", "budget")
    wide = (WIDE - 2 * EDGE - 8 * (len(answers) - 1)) / len(answers)
    for at, action in enumerate(answers):
        label = words.label(row, seat, action)
        look = looks.button(opening(label), wide, 46)
        key = f"answer-{rules.ACTIONS.family(action).verb}"
        yield Item(key, "budget", look, EDGE + at * (wide + 8), HEIGHTS["budget"] - 54, action=action, label=label)


# The fame ladder.


def _step(fame: int) -> int:
    """Where a step of the ladder begins."""
    return 42 + (6 - fame) * looks.LADDER


class Standing(NamedTuple):
    """A composer on the ladder: performed how often, with which fame now and after this round, and the points to come."""

    times: int
    fame: int
    later: int
    bonus: tuple[int, ...]


def _standing(view: View, halls: Halls) -> tuple[Standing, ...]:
    """All composers on the ladder."""
    row = view.row
    fame = row[F.fame : F.fame + 6]
    later = fame if view.is_played_out else _fame_after(fame, row[F.great : F.great + 24], row[F.side : F.side + 24])
    return _standings(fame, later, halls.times, row[F.century + row[F.counts] : F.century + 3], row[F.counts])


@lru_cache(1024)
def _standings(
    fame: tuple[int, ...], later: tuple[int, ...], times: tuple[int, ...], century: tuple[int, ...], counts: int
) -> tuple[Standing, ...]:
    return tuple(
        Standing(times[one], fame[one], later[one], tuple(counts + at + 1 for at, other in enumerate(century) if other == one))
        for one in range(6)
    )


SILENCE: Final = [-1]
"""A list of events that stays empty."""


@lru_cache(1024)
def _fame_after(fame: tuple[int, ...], great: tuple[int, ...], side: tuple[int, ...]) -> tuple[int, ...]:
    """The fame of all composers at the end of a round, by the rules."""
    row = [0] * rules.FIELDS.width
    row[F.seats] = rules.MOST_SEATS
    row[F.fame : F.fame + 6] = fame
    row[F.great : F.great + 24] = great
    row[F.side : F.side + 24] = side
    rules.update_fame(row, SILENCE)
    return tuple(row[F.fame : F.fame + 6])


def _ladder(view: View, language: Language, halls: Halls) -> list[Item]:
    """The composers from the top, with their price, how often they are performed, where they are going, what is on offer."""
    standing = _standing(view, halls)
    items = [_price(language, view.is_played_out)]
    items += sorted(_step_of(one.fame, composer) for composer, one in enumerate(standing))
    for composer, one in enumerate(standing):
        items += _composer(language, composer, one, view.row[F.offer + composer], False)
    return items


@cache
def _price(language: Language, is_over: bool) -> Item:
    words = language.words
    text = "" if is_over else looks.note(words.say("fame is the price"), words.say("Fame and offer"))
    return Item("price", "ladder", text)


@cache
def _step_of(fame: int, composer: int) -> Item:
    """A step of the ladder, for the composer who stands there; for none if it does not stand for buying."""
    action = -1 if composer == rules.NONE else A.buy + composer
    return Item(f"step-{fame}", "ladder", looks.step(fame), EDGE, _step(fame), action=action, ask=action >= 0)


@lru_cache(4096)
def _composer(language: Language, composer: int, one: Standing, offer: int, is_judged: bool) -> list[Item]:
    """A composer on a step, the facts below the name, and what is on offer: instead of that, verdicts if they are judged."""
    words = language.words
    name = words.composer(composer)
    key, bonus = f"composer-{composer}", () if is_judged else one.bonus
    told = words.say("performed: {times}", times=one.times)
    if one.later != one.fame:
        told += " · " + words.say("fame after this round, as it stands: {fame}", fame=one.later)
    for points in bonus:
        told += " · " + _told_century(words, composer, points)
    look = looks.composer(composer, name, 70 if is_judged else 110)
    facts = looks.facts(one.times, one.fame, one.later, bonus)
    items = [
        Item(key, f"step-{one.fame}", look, 64, looks.STEP / 2, title=name),
        Item(f"facts-{composer}", key, facts, 26, 17, title=told),
    ]
    title = words.say("on offer: {composer}", composer=name)
    for copy in range(offer):
        piece = Item(f"offer-{composer}-{copy}", key, token(composer, 36), 252 - 39 * copy, title=title)
        items.append(Item(piece.key, key) if is_judged else piece)
    return items


def _verdicts(view: View, language: Language, halls: Halls) -> Iterator[Item]:
    """The four verdicts of the Critico beside each composer: two steps up, one up, one down, two down."""
    if not asks(view, rules.REVIEW):
        return
    row = view.row
    judged = rules.performed_in(list(row), row[F.figure + rules.CRITICO - rules.MAESTRO])
    for composer, one in enumerate(_standing(view, halls)):
        if not judged >> composer & 1:
            continue
        key = f"composer-{composer}"
        yield _step_of(one.fame, rules.NONE)
        yield from _composer(language, composer, one, row[F.offer + composer], True)
        for at, steps in enumerate((2, 1, -1, -2)):
            if 1 <= one.fame + steps <= rules.TOP_FAME:
                verb, size = "praise" if steps > 0 else "scorn", abs(steps)
                action = (A.praise if steps > 0 else A.scorn) + composer * 2 + size - 1
                look = looks.verdict(steps, one.fame + steps)
                yield Item(f"{verb}-{composer}-{size}", key, look, 276 - 46 * (4 - at), 2 - looks.STEP / 2, action=action)


# The Palazzo.


def _niche(at: int) -> int:
    """Where a place of the Palazzo begins."""
    return EDGE + 4 + at * 50


@lru_cache(1024)
def _palazzo(language: Language, seats: int, cast: int, deck: int, discard: tuple[int, ...]) -> list[Item]:
    """The pieces at the Palazzo, the deck, face down, and the discard pile with what lies there in its title."""
    words, places = language.words, max(3, seats)
    items = [Item("performing", "palazzo", looks.note(f"{cast.bit_count()}/{places}", words.say("Palazzo")))]
    for at, one in enumerate(one for one in range(6) if cast >> one & 1):
        items.append(Item(f"palazzo-{one}", "palazzo", token(one, 38), _niche(at) + 22.5, 77, title=words.composer(one)))
    left, wide = _beside_palazzo(seats)
    there = ", ".join(f"{words.composer(one)} {discard[one]}" for one in range(6) if discard[one])
    for at, (key, number, name) in enumerate(
        (("deck", deck, words.say("deck")), ("discard", sum(discard), words.say("discard pile")))
    ):
        look = looks.pile(key == "deck", number, name, wide / 2)
        title = f"{name}: {there if key == 'discard' and there else number}"
        items.append(Item(key, "palazzo", look, left + wide * (at + 0.5) / 2, 0, 1, "" if number else "faint", title))
    return items


def _beside_palazzo(seats: int) -> tuple[int, int]:
    """Where there is room beside the Palazzo, and how much."""
    left = EDGE + 8 + max(3, seats) * 50
    return left, WIDE - EDGE - left


def _payments(view: View, words: Words) -> Iterator[Item]:
    """What the Palazzo pays for a piece just sold, where the piles are otherwise."""
    if not asks(view, rules.PAY):
        return
    assert view.seat is not None
    yield from (Item("deck", "palazzo"), Item("discard", "palazzo"))
    left, room = _beside_palazzo(view.seats)
    wide = (room - 6) / 2
    for at, how in enumerate(rules.PAYMENT.names):
        label = words.label(view.row, view.seat, A.take + at)
        look = looks.button(opening(label), wide, 60)
        yield Item(f"take-{how}", "palazzo", look, left + at * (wide + 6), 44, action=A.take + at, label=label)


# The cities.


@cache
def _city_height(seats: int, reader: Seat | None) -> int:
    """How tall the panel of a city is: a reader among more than two has one large house and the others small."""
    large = 2 if seats == 2 else reader is not None
    return 66 + LARGE * large + SMALL * ((seats - large + 1) // 2)


@cache
def _lot(seats: int, reader: Seat | None, seat: Seat) -> tuple[int, int, bool]:
    """Where a house stands, and whether it is drawn large: the reader's own first, the others in the order of the table."""
    others = [one for one in range(seats) if one != reader]
    if seats == 2:
        order = others if reader is None else [reader, *others]
        return EDGE, 65 + LARGE * order.index(seat), True
    if seat == reader:
        return EDGE, 65, True
    at = others.index(seat)
    return EDGE + 174 * (at % 2), 65 + (0 if reader is None else LARGE) + SMALL * (at // 2), False


def _opens(view: View, city: int) -> int:
    """The round after which a closed city opens; -1 for an open one."""
    row = view.row
    return COUNTED[row[F.seven_rounds]][OPENS_AFTER[city] - 1] if OPENS_AFTER[city] > row[F.counts] else -1


def _plots(view: View) -> Iterator[Item]:
    """The parts that the reader may build, as ghosts on their own plots, each with its price."""
    assert view.seat is not None
    if not asks(view, rules.BUILD):
        return
    x, y, is_large = _lot(view.seats, view.seat, view.seat)
    for action in view.legal:
        if not A.build <= action < A.build + 24:
            continue
        city, part = divmod(action - A.build, 4)
        built = view.row[F.built + view.seat * 6 + city]
        name = f"plot-{rules.CITY.names[city]}-{rules.PART.names[part]}"
        yield Item(name, CITY_PANELS[city], looks.ghost(view.seat, city, part, built, is_large), x, y, action=action)


@cache
def _back(language: Language, city: int, height: int, opens: int) -> Item:
    """A city behind everything that stands there."""
    text = language.words.say("opens after round {round}", round=ROMAN[opens - 1]) if opens > 0 else ""
    return Item(f"back-{rules.CITY.names[city]}", CITY_PANELS[city], looks.city_back(city, height, text))


@lru_cache(1024)
def _heading(language: Language, city: int, height: int, opens: int, supply: tuple[int, ...]) -> list[Item]:
    """The name of a city with its places for figures, and its parts in the supply, with how many are left."""
    words, panel, name = language.words, CITY_PANELS[city], rules.CITY.names[city]
    sites, start, wide, _ = looks.heading(city)
    visit = looks.visit(city, words.city(city), words.halls(sum(HALLS[site] for site in sites)))
    items = [_back(language, city, height, opens), Item(f"visit-{name}", panel, visit, action=A.move + city, ask=True)]
    for at, site in enumerate(sites):
        left, halls = supply[site & 3], words.halls(HALLS[site])
        price = rules.A_HALL * HALLS[site]
        told = f"{opening(words.part(site))}: {halls}, {words.ducats(price)}, {words.points(price)}, ×{left}"
        state = "dim" if left == 0 else "faint" if opens > 0 else ""
        part = f"{name}-{rules.PART.names[site & 3]}"
        x = start + at * wide
        items.append(Item(f"build-{part}", panel, looks.tile(site), x, 10, 1, state, told, A.build + site, ask=True))
        number = looks.line(f"×{left}", 14.5, "bold" if left else "quiet", "start")
        items.append(Item(f"left-{part}", f"build-{part}", number, min(wide / 2 + 1, wide - 21), 37))
    return items


class City(NamedTuple):
    """What the houses of a city show, by seat; and who is asked about them."""

    city: int
    built: tuple[int, ...]
    great: tuple[int, ...]
    side: tuple[int, ...]
    before: tuple[int, ...]
    has_maestro: bool
    is_over: bool
    asked: int
    """SELL, SCORE or STAGE, if that is asked about a house of this city; otherwise NOTHING."""
    turn: int
    hall: int


def _city(view: View, city: int, halls: Halls) -> City:
    row = view.row
    asked, turn, hall = row[F.asked], row[F.turn], rules.NONE
    if asked == rules.STAGE and view.seat == turn and row[F.city] == city:
        hall = row[F.hall]
    elif asked != rules.SELL and not (asked == rules.SCORE and row[F.figure + rules.ESPERTO - rules.MAESTRO] == city):
        asked, turn = rules.NOTHING, rules.NONE
    built, great, side = (row[field + city : field + 24 : 6] for field in (F.built, F.great, F.side))
    is_over = view.is_played_out
    return City(city, built, great, side, halls.before[city], row[F.figure] == city, is_over, asked, turn, hall)


@lru_cache(4096)
def _houses(
    language: Language,
    seats: int,
    reader: Seat | None,
    city: int,
    built: tuple[int, ...],
    great: tuple[int, ...],
    side: tuple[int, ...],
    before: tuple[int, ...],
    has_maestro: bool,
    is_over: bool,
    asked: int,
    turn: int,
    hall: int,
) -> list[Item]:
    """Everybody's house in a city; for a reader all of their own one, and of the others only where they stand."""
    items: list[Item] = []
    for seat in range(seats):
        x, y, is_large = _lot(seats, reader, seat)
        question = asked if seat == turn else rules.NOTHING
        held = built[seat], great[seat], side[seat], before[seat]
        house = _house(language, seat, city, is_large, *held, has_maestro, is_over, question, hall)
        items.append(house[0]._replace(x=x, y=y))
        if reader is None or seat == reader:
            items += house[1:]
    return items


@lru_cache(8192)
def _house(
    language: Language,
    seat: Seat,
    city: int,
    is_large: bool,
    built: int,
    great: int,
    side: int,
    before: int,
    has_maestro: bool,
    is_over: bool,
    asked: int,
    filling: int,
) -> list[Item]:
    """A house as a façade, its income, the pieces in its halls, and the halls that are empty."""
    words, name = language.words, rules.CITY.names[city]
    key, pieces = f"house-{seat}-{name}", _pieces(great, side)
    look = looks.facade(seat, _letters(language, seat), city, built, is_large)
    action = A.score if asked == rules.SCORE else -1
    items = [Item(key, CITY_PANELS[city], look, cls="" if built else "faint", action=action)]
    if pieces and not is_over:
        income = INCOME[pieces.bit_count()] * (1 + has_maestro)
        x, y, radius = (14, 58, 11) if is_large else (12, 42, 10)
        title = words.say("earns {ducats} each round", ducats=words.ducats(income))
        items.append(Item(f"income-{seat}-{name}", key, looks.coin(str(income), radius), x, y, title=title))
    halls = [one for one in looks.halls_drawn(city, built, great, side, is_large) if one.built]
    # Pieces in their own order: so those that stay keep their places in the drawing when others come and go.
    for one in sorted(halls, key=lambda one: one.piece):
        if one.piece == rules.NONE:
            continue
        piece = _key(seat, one.piece, before >> 4 * one.piece & 15)
        performed = looks.performed(one, seat if one.piece == rules.HOUSE else 0, is_large)
        action = -1
        if asked == rules.SELL and one.piece != rules.HOUSE:
            action = A.sell + one.piece * rules.SOURCES + city + 1
        title = opening(words.piece(one.piece))
        items.append(Item(piece, key, *performed, 1, "inside", title, action, action >= 0))
    top, tall = looks.hall_size(is_large)
    for at, one in enumerate(halls):
        hall = f"hall-{seat}-{name}-{at}"
        if asked == rules.STAGE and at == filling:
            items.append(Item(hall, key, looks.hall_to_fill(one.wide, tall), one.x, top, action=A.empty))
        elif one.piece == rules.NONE:
            title = words.say("an empty hall costs 1 point at a count")
            items.append(Item(hall, key, looks.empty_hall(one.wide, tall, not is_over), one.x, top, 1, "inside", title))
    return items


# The players.


def _player(
    view: View, names: tuple[str, ...], language: Language, halls: Halls, seat: Seat, reader: Seat | None
) -> list[Item]:
    """A player, who may be the reader, and what lies behind an open screen."""
    row = view.row
    is_over, is_open = view.is_played_out, _is_open(view, seat)
    items = _plate(
        language,
        seat,
        names[seat],
        _player_height(view, seat),
        seat == reader,
        seat in view.to_act,
        view.outcome is not None and seat in view.outcome.winners,
        row[F.hired + seat] if not is_over and row[F.asked] != rules.BID else rules.NONE,
        rules.most_roles(list(row)),
        bool(row[F.passed] >> seat & 1),
        row[F.points + seat],
        row[F.ducats + seat] if is_open else rules.NONE,
        None if is_over else _forecast(row, seat),
    )
    held = row[F.screen + seat * 7 : F.screen + seat * 7 + 7]
    if is_over:
        return items + _left_over(language, seat, held, halls.copies[seat])
    if not is_open:
        return items
    question = rules.NOTHING
    if seat == view.seat:
        question = rules.STAGE if asks(view, rules.REARRANGE, rules.STAGE) else row[F.asked]
    return items + _shelf(language, seat, seat == view.seat, _kinds(view, seat), held, halls.copies[seat], question)


@lru_cache(4096)
def _plate(
    language: Language,
    seat: Seat,
    name: str,
    height: int,
    is_reader: bool,
    is_asked: bool,
    has_won: bool,
    hired: int,
    most: int,
    has_ended: bool,
    points: int,
    ducats: int,
    told: Forecast | None,
) -> list[Item]:
    """A player: points, purse or closed screen, and what the halls would bring."""
    words, panel = language.words, PLAYER_PANELS[seat]
    notes = [words.say("you")] if is_reader else []
    if has_won:
        notes.append(words.say("winner"))
    elif hired != rules.NONE:
        notes.append(words.say("roles {hired}/{most}", hired=hired, most=most))
        if has_ended:
            notes.append(words.say("ended"))
    purse, hidden = looks.closed_purse(words.say("screen closed")), words.say(CLOSED)
    if ducats != rules.NONE:
        purse, hidden = looks.purse(ducats, _noun(words.ducats(ducats))), ""
    return [
        Item(f"frame-{seat}", panel, looks.frame(height)),
        Item(f"name-{seat}", panel, looks.player(seat, _letters(language, seat), name)),
        Item(f"notes-{seat}", panel, looks.notes(" · ".join(notes), name, has_won)),
        Item(f"points-{seat}", panel, looks.points(points, _noun(words.points(points))), WIDE - EDGE - 4),
        Item(f"purse-{seat}", panel, purse, EDGE + 41, 61, title=hidden),
        *(_prospects(language, seat, told) if told else ()),
        *((Item(f"turn-{seat}", panel, looks.turn_edge(height)),) if is_asked else ()),
    ]


CLOSED: Final = mark("A closed screen: ducats and pieces behind it are not shown.")


def _player_height(view: View, seat: Seat) -> int:
    """How tall the panel of a player is: with what lies behind an open screen."""
    if view.is_played_out or not _is_open(view, seat):
        return 97
    if not _kinds(view, seat):
        return 97 + 32
    return 97 + (61 if seat == view.seat else 51)


def _forecast(row: Sequence[int], seat: Seat) -> Forecast:
    """What the halls of a seat would bring, worked out once for all rows that agree in what matters."""
    houses = slice(seat * 6, seat * 6 + 6)
    built = tuple(tuple(row[field : field + 24][houses]) for field in (F.halls, F.great, F.side))
    return _forecast_of(
        row[F.counts], tuple(row[F.fame : F.fame + 6]), tuple(row[F.century : F.century + 3]), row[F.figure], built
    )


@lru_cache(4096)
def _forecast_of(
    counts: int, fame: tuple[int, ...], century: tuple[int, ...], maestro: int, built: tuple[tuple[int, ...], ...]
) -> Forecast:
    row = [0] * rules.FIELDS.width
    row[F.counts], row[F.figure] = counts, maestro
    row[F.fame : F.fame + 6], row[F.century : F.century + 3] = fame, century
    row[F.halls : F.halls + 6], row[F.great : F.great + 6], row[F.side : F.side + 6] = built
    return sketch.forecast(row, 0)


def _prospects(language: Language, seat: Seat, told: Forecast) -> list[Item]:
    """What the halls would bring at the end of the round and at the next count, and how many are empty."""
    words, panel = language.words, PLAYER_PANELS[seat]
    empty = f"−{told.empty}" if told.empty else "0"
    points = f"{told.points:+}".replace("-", "−") if told.points else "0"
    parts_of_count = words.say(
        "great halls {great}, Composer of the Century {century}, empty halls {empty}",
        great=told.great,
        century=told.century,
        empty=empty,
    )
    label = words.count("empty hall", "empty halls", told.empty)
    cls = "bold bad" if told.empty else "bold"
    return [
        Item(f"income-{seat}", panel, looks.prospect(f"+{told.income}", words.say("income"), "bold"), 138),
        Item(f"count-{seat}", panel, looks.prospect(points, words.say("next count"), "bold"), 221, title=parts_of_count),
        Item(f"empty-{seat}", panel, looks.prospect(empty, label, cls), 304),
    ]


def _kinds(view: View, seat: Seat) -> tuple[int, ...]:
    """The kinds of pieces behind an open screen; while the reader rearranges, those still in the halls as well."""
    pieces = rules.in_hand(list(view.row), seat)
    if seat == view.seat and asks(view, rules.REARRANGE, rules.STAGE):
        pieces = rules.pieces_of(list(view.row), seat)
    return tuple(piece for piece in range(7) if pieces >> piece & 1)


@lru_cache(2048)
def _shelf(
    language: Language, seat: Seat, is_own: bool, kinds: tuple[int, ...], held: tuple[int, ...], in_halls: int, asked: int
) -> list[Item]:
    """The pieces behind an open screen, a heap for each kind; for its reader each stands for placing or selling one."""
    words, panel = language.words, PLAYER_PANELS[seat]
    nothing = "" if kinds else write(words.say("nothing behind the screen"), 180, 22, 14, cls="quiet")
    items = [Item(f"shelf-{seat}", panel, looks.SHELF + nothing, 0, 95)]
    size, tall = (38, 46) if is_own else (30, 36)
    for at, piece in enumerate(kinds):
        key, copies = f"heap-{seat}-{piece}", held[piece]
        action = -1
        if asked == rules.STAGE:
            action = A.place + piece
        elif asked == rules.SELL and piece != rules.HOUSE:
            action = A.sell + piece * rules.SOURCES
        look = looks.halo(-23, -1 - tall / 2, 46, 48)
        if not copies:
            look += token(piece, size, seat)
        items.append(Item(key, panel, look, EDGE + 22 + at * 48, 103 + tall / 2, action=action, ask=action >= 0))
        first, title = in_halls >> 4 * piece & 15, opening(words.piece(piece))
        for copy in range(copies):
            x = 3 * min(copy, 2) - min(copies - 1, 2) * 1.5
            items.append(Item(_key(seat, piece, first + copy), key, token(piece, size, seat), x, title=title))
        if copies > 1:
            items.append(Item(f"copies-{seat}-{piece}", key, looks.copies(copies), size / 2 - 2, size / 2 - 6))
    return items


@lru_cache(1024)
def _left_over(language: Language, seat: Seat, held: tuple[int, ...], in_halls: int) -> list[Item]:
    """The pieces left behind a screen when all is over."""
    items: list[Item] = []
    pitch = min(34.0, 190 / max(1, sum(held)))
    for piece in range(7):
        for copy in range(held[piece]):
            key, title = _key(seat, piece, (in_halls >> 4 * piece & 15) + copy), opening(language.words.piece(piece))
            x = EDGE + 92 + len(items) * pitch
            items.append(Item(key, PLAYER_PANELS[seat], token(piece, 30, seat), x, 66, title=title))
    return items


# The result.


@cache
def _score_lines(language: Language, seats: int) -> tuple[tuple[int, list[str]], ...]:
    """The parts of the points in words, each with where it begins; at the end, where the sum does."""
    y, found = 84, []
    for part in rules.PARTS:
        lines = wrap(language.words.say(part.meaning), _column(seats, 0) - EDGE - 34, 13)
        found.append((y, lines))
        y += 15 * len(lines) + 8
    return (*found, (y, []))


def _column(seats: int, seat: Seat) -> int:
    """Where a seat's numbers stand in the result."""
    return WIDE - EDGE - 18 - 44 * (seats - 1 - seat)


def _score_height(language: Language, seats: int) -> int:
    return _score_lines(language, seats)[-1][0] + 42


def _score_board(language: Language, seats: int) -> str:
    """The result without its numbers."""
    words = language.words
    parts = [looks.frame(_score_height(language, seats)), looks.head(words.say("Result"))]
    for seat in range(seats):
        parts.append(group([looks.seat_sign(seat, _letters(language, seat), 24)], at=(_column(seats, seat), 54)))
    for y, lines in _score_lines(language, seats):
        for at, text in enumerate(lines):
            parts.append(write(text, EDGE + 4, y + 15 * at, 13, cls="quiet", anchor="start"))
    y = _score_lines(language, seats)[-1][0]
    parts.append(tag("path", cls="rule", d=f"M{EDGE + 4} {y - 12}H{WIDE - EDGE - 4}"))
    parts.append(write(opening(_noun(words.points(2))), EDGE + 4, y + 10, 16, cls="name bold", anchor="start"))
    return "".join(parts)


def _score(view: View, language: Language) -> Iterator[Item]:
    """Every part of everybody's points, and the winner."""
    assert view.outcome is not None
    lines = _score_lines(language, view.seats)
    for seat in range(view.seats):
        x = _column(view.seats, seat)
        for number, part in enumerate(rules.PARTS):
            value = view.row[F.earned + seat * 6 + number]
            look = looks.line(str(value).replace("-", "−"), 16, "bad" if value < 0 else "")
            yield Item(f"score-{seat}-{part.name}", "score", look, x, lines[number][0])
        points = str(view.row[F.points + seat]).replace("-", "−")
        yield Item(f"total-{seat}", "score", looks.total(points, seat in view.outcome.winners), x, lines[-1][0])
