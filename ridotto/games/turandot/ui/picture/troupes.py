"""The panels of the troupes, one for each: its cards and what it is worth so far."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from ridotto.core.view import View
from ridotto.engine.fields import Seat
from ridotto.games.turandot.components import CATEGORIES, CATEGORY, DIRECTOR_IDS, MONEY, SINGER_IDS, SINGERS, TROUPE
from ridotto.games.turandot.rules import NONE, NOTHING, A, F, favourites, wrong_sexes
from ridotto.games.turandot.ui.messages import points
from ridotto.games.turandot.ui.picture.cards import (
    MINI,
    MONEY_CARD,
    QUILL_TOKEN,
    SHORT,
    STAGE_ELEMENT,
    singer_title,
    small_singer,
)
from ridotto.games.turandot.ui.picture.people import Touched, people
from ridotto.games.turandot.ui.picture.plan import SIZES
from ridotto.games.turandot.ui.picture.signs import DRESS, HEART, MEGAPHONE, emblem, light, mask, sign, star
from ridotto.games.turandot.ui.picture.terms import director_title, medallion
from ridotto.games.turandot.ui.picture.worth import Troupe, best_roles, brings, starred, troupe_of
from ridotto.games.turandot.ui.words import Words
from ridotto.present.kit import WIDE, circle, drawing, line, lines, panel, rect
from ridotto.present.narrator import mark
from ridotto.present.scene import Item, Layer
from ridotto.present.svg import Panel, group, measure, seat_mark, wrap, write

FICTITIOUS: Final = "fictitious"
SPENT: Final = rect(-8, -11, 16, 22, "spent", 3)
PUCCINI: Final = group([QUILL_TOKEN, write("Puccini", 13, 5, 15, cls="gold", anchor="start")])
CARD_TRACE: Final = rect(-1, -1, MINI + 2, SHORT + 2, "trace", 6)
DIRECTOR_TRACE: Final = circle(0, 0, 23.5, "trace")
SIDE: Final = 8
"""What a troupe leaves free at its sides."""


class Row(NamedTuple):
    """Places for six singers and a director."""

    singers: tuple[tuple[float, float], ...]
    scale: float
    """The scale of a singer's card."""
    director: tuple[float, float]
    medallion: float
    """The size of the director's medallion."""
    is_double: bool
    """Whether the singers stand in two rows, with the director beside them."""


@drawing
def row(tall: float, is_over: bool = False) -> Row:
    """The places in a panel so tall; after the end with a line below each singer."""
    top = 28
    if tall < 200:
        scale = 1.03
        return Row(tuple((SIDE - 3 + 49 * slot, top) for slot in range(TROUPE)), scale, (325, top + 31), 44, False)
    line = 19 if is_over else 3
    scale = round(((tall - top - 29) / 2 - line) / SHORT, 2)
    pitch = MINI * scale + 4
    places = tuple((SIDE + pitch * (slot % 3), top + (SHORT * scale + line) * (slot // 3)) for slot in range(TROUPE))
    return Row(places, scale, ((SIDE + 3 * pitch + WIDE - SIDE) / 2, top + 56), 96, True)


SUM: Final = mark(
    "stars {stars}, favourite roles and wrong sexes at best {roles}, stage elements {elements}, director {director}"
)
SUM_OF_NOBODY: Final = mark("stars {stars}, favourite roles and wrong sexes {roles}, director {director}")


def troupes(view: View, words: Words, touched: Touched) -> Layer:
    """What everybody sees of them."""
    s, tall = view.row, SIZES[view.seats].troupe
    items: list[Item] = []
    for seat, person in enumerate(people(words, view.seats)):
        purse, director = (s[F.money + seat], s[F.elements + seat]), s[F.director + seat]
        has_puccini = s[F.puccini] == seat
        items += _troupe(
            words.nameless(), tall, seat, person.name, person.letter, has_puccini, purse, troupe_of(s, seat), director
        )
        if ("named", seat) in touched:
            items.append(Item(f"trace-troupe-{seat}", f"troupe-{seat}", rect(2, 2, WIDE - 4, tall - 4, "trace", 8)))
    if view.seats == 2:
        troupe = tuple(s[F.fictitious : F.fictitious + TROUPE])
        items += _fictitious(words.nameless(), tall, troupe, s[F.fictitious_director])
    return Layer(troupe_panels(view.seats, words), [*items, *_traces(view, touched)])


def troupe_panels(seats: int, words: Words) -> list[Panel]:
    """The panels of the troupes; two players have the troupe of nobody besides."""
    count, title = seats + (seats == 2), words.say("The troupes")
    return [panel(panel_of(place), title, WIDE, SIZES[seats].troupe) for place in range(count)]


def panel_of(place: int) -> str:
    """The panel of a troupe by its place among them."""
    return f"troupes-{place + 1}"


@drawing
def _troupe(
    words: Words,
    tall: float,
    seat: Seat,
    name: str,
    letter: str,
    has_puccini: bool,
    purse: tuple[int, int],
    troupe: Troupe,
    director: int,
) -> tuple[Item, ...]:
    """The troupe of a seat: whose it is, money cards and stage elements, the cards, and what they come to."""
    values = (starred(troupe), best_roles(troupe), purse[1], brings(troupe, director))
    return (
        block(seat, letter, seat, tall),
        *owner(seat, name, has_puccini),
        *_purse(words, seat, *purse),
        *row_of_cards(words, str(seat), troupe, director, row(tall)),
        *_categories(words, str(seat), troupe, tall),
        _sum(words, str(seat), values, tall),
    )


@drawing
def _fictitious(words: Words, tall: float, troupe: Troupe, director: int) -> tuple[Item, ...]:
    """The troupe of nobody, with the roles it already sings."""
    values = starred(troupe), favourites(list(troupe), 0) + wrong_sexes(list(troupe), 0), 0, brings(troupe, director)
    return (
        Item(f"troupe-{FICTITIOUS}", panel_of(2), fictitious_ground(words, tall)),
        *row_of_cards(words, FICTITIOUS, troupe, director, row(tall)),
        *_categories(words, FICTITIOUS, troupe, tall),
        _sum(words, FICTITIOUS, values, tall),
    )


def own_troupe(view: View, words: Words) -> list[Item]:
    """The reader's troupe stands first, and is called "you"."""
    s, seat = view.row, view.seat
    assert seat is not None
    items, players = [], people(words, view.seats)
    if s[F.asked] != NOTHING and seat > 0:
        tall = SIZES[view.seats].troupe
        items = [block(one, players[one].letter, (one - seat) % view.seats, tall) for one in range(view.seats)]
    name = players[seat].name
    if seat == words.spoken_to(seat):
        name = words.say("{who} (you)", who=name)
    return [*items, *owner(seat, name, s[F.puccini] == seat)]


@drawing
def block(seat: Seat, letter: str, place: int, tall: float) -> Item:
    """The ground of a troupe, and the mark of its seat."""
    look = group(
        [light(WIDE - 4, tall - 4, 2, 2), rect(1, 1, WIDE - 2, tall - 2, "raised", 9), seat_mark(seat, 19, 16, 28, letter)]
    )
    return Item(f"troupe-{seat}", panel_of(place), look, action=A.name + seat, ask=True)


@drawing
def owner(seat: Seat, name: str, has_puccini: bool) -> tuple[Item, ...]:
    """Whose troupe it is, and whether they have Puccini."""
    room = WIDE - 190 if has_puccini else WIDE - 110
    owner = Item(f"owner-{seat}", f"troupe-{seat}", line(name, 16, "name bold", "start", room), 38, 20)
    if not has_puccini:
        return (owner,)
    x = 55 + min(measure(name, 16, "serif-bold"), room)
    return owner, Item("puccini", f"troupe-{seat}", PUCCINI, round(x, 1), 15, title="Puccini")


def _purse(words: Words, seat: Seat, money: int, elements: int) -> Iterator[Item]:
    """Stage elements first, then money spent, then money in hand: three cards in all, from the right."""
    for place in range(MONEY):
        look, title = SPENT, ""
        if place < elements:
            look, title = STAGE_ELEMENT, words.say("a stage element")
        elif place >= MONEY - money:
            look, title = MONEY_CARD, words.say("a money card")
        yield Item(f"money-{seat}-{place}", f"troupe-{seat}", look, WIDE - 17 - 19 * place, 15, title=title)


def row_of_cards(words: Words, troupe: str, singers: Troupe, director: int, places: Row) -> Iterator[Item]:
    """Six places for singers and one for the director."""
    parent, wide, short = f"troupe-{troupe}", MINI * places.scale, SHORT * places.scale
    empty = [rect(*places.singers[slot], wide, short, "spent", 5) for slot, one in enumerate(singers) if one == NONE]
    if director == NONE:
        empty.append(circle(*places.director, places.medallion * 0.47, "spent"))
    if empty:
        yield Item(f"empty-{troupe}", parent, group(empty))
    for slot, one in enumerate(singers):
        if one != NONE:
            look, title = small_singer(one), singer_title(words, one)
            yield Item(f"singer-{SINGER_IDS[one]}", parent, look, *places.singers[slot], places.scale, title=title)
    if director != NONE:
        title, scale = director_title(words, director), round(places.medallion / 43, 2)
        x, y = places.director
        yield Item(f"director-{DIRECTOR_IDS[director]}", parent, medallion(director, 43), x, y, scale, title=title)
        if places.is_double:
            names = lines(wrap(words.director(director), 125, 15, "serif")[:2], 0, 0, 15, 17, cls="name", within=125)
            yield Item(f"directed-{troupe}", parent, group(names), x, y + 66)


def _traces(view: View, touched: Touched) -> Iterator[Item]:
    """A line around each card that has just come to a troupe."""
    s = view.row
    singers = (*s[F.troupe : F.troupe + view.seats * TROUPE], *s[F.fictitious : F.fictitious + TROUPE])
    directors = (*s[F.director : F.director + view.seats], s[F.fictitious_director])
    for kind, card in sorted(touched):
        if kind == "card" and card in singers:
            yield Item(f"trace-{SINGER_IDS[card]}", f"singer-{SINGER_IDS[card]}", CARD_TRACE)
        elif kind == "card" and card >= SINGERS and card - SINGERS in directors:
            one = DIRECTOR_IDS[card - SINGERS]
            yield Item(f"trace-{one}", f"director-{one}", DIRECTOR_TRACE)


def _categories(words: Words, troupe: str, singers: Troupe, tall: float) -> Iterator[Item]:
    """How many singers of each category."""
    there = [CATEGORY[one] for one in singers if one != NONE]
    scale = _line_scale(tall)
    y = tall - 11 if scale == 1 else tall - 43
    for number in range(CATEGORIES):
        look, cls = category(number, there.count(number)), "" if number in there else "dim"
        key, title = f"category-{troupe}-{number}", words.category(number)
        yield Item(key, f"troupe-{troupe}", look, round(SIDE + 27 * scale * number, 1), y, scale, cls, title)


def _line_scale(tall: float) -> float:
    """The scale of the lines below the cards: where there is room, each has a line of its own."""
    return 1.2 if 140 < tall < 200 else 1


@drawing
def category(number: int, count: int) -> str:
    """A category, and how many singers are of it."""
    return group([emblem(number, 6, 0, 0.7, "lit"), write(str(count), 20, 5.4, 15.5, cls="bold")])


def _sum(words: Words, troupe: str, values: tuple[int, int, int, int], tall: float) -> Item:
    """Stars, favourite roles and wrong sexes, stage elements, director, and what they come to."""
    message = SUM_OF_NOBODY if troupe == FICTITIOUS else SUM
    stars, roles, elements, director = values
    phrase = words.say(message, stars=stars, roles=points(roles), elements=elements, director=points(director))
    return Item(
        f"sum-{troupe}",
        f"troupe-{troupe}",
        _sum_line(values),
        WIDE - SIDE,
        tall - 7 if tall < 140 else tall - 10,
        _line_scale(tall),
        title=phrase,
    )


@drawing
def _sum_line(values: tuple[int, int, int, int]) -> str:
    stars, roles, elements, director = values
    parts = [write(str(sum(values)), 0, 1, 21, cls="title bold", anchor="end")]
    x = -28.0
    numbers: tuple[tuple[str, Callable[[float], str]], ...] = (
        (points(director), lambda x: sign(MEGAPHONE, x, -5, 0.61, "lit")),
        (str(elements), lambda x: sign(DRESS, x, -5, 0.61, "lit")),
        (points(roles), lambda x: sign(HEART, x, -4.6, 0.75, "bad")),
        (str(stars), lambda x: star(x, -5, 0.72)),
    )
    for text, draw in numbers:
        parts.append(write(text, x, 0, 15.5, anchor="end"))
        x -= measure(text, 15.5) + 7
        parts.append(draw(x))
        x -= 10
    return group(parts)


@drawing
def fictitious_ground(words: Words, tall: float) -> str:
    """The ground of the troupe of nobody."""
    name = write(words.say("Fictitious troupe"), 36, 20, 16, cls="name bold", anchor="start")
    return group([rect(1, 1, WIDE - 2, tall - 2, "raised", 9), mask(18, 15, 1.1, "gold"), name])
