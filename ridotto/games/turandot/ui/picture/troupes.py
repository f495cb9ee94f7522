"""The panel of the troupes: every troupe with its cards and what it is worth so far."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

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
from ridotto.games.turandot.ui.picture.signs import DRESS, HEART, MEGAPHONE, emblem, light, mask, sign, star
from ridotto.games.turandot.ui.picture.terms import director_title, medallion
from ridotto.games.turandot.ui.picture.worth import Troupe, best_roles, brings, starred, troupe_of
from ridotto.games.turandot.ui.words import Words
from ridotto.present.kit import EDGE, INNER, WIDE, Grid, circle, drawing, line, panel, rect
from ridotto.present.narrator import mark
from ridotto.present.scene import Item, Layer
from ridotto.present.svg import group, measure, seat_mark, write

BLOCKS: Final = Grid(1, INNER, 112, row_gap=6, x=EDGE, y=44)
FICTITIOUS: Final = "fictitious"
SPENT: Final = rect(-8, -11, 16, 22, "spent", 3)
PUCCINI: Final = group([QUILL_TOKEN, write("Puccini", 13, 4.5, 13, cls="gold", anchor="start")])
BLOCK_TRACE: Final = rect(0, 0, INNER, BLOCKS.tall, "trace", 8)
CARD_TRACE: Final = rect(-1, -1, MINI + 2, SHORT + 2, "trace", 6)
DIRECTOR_TRACE: Final = circle(0, 0, 23.5, "trace")


SUM: Final = mark(
    "stars {stars}, favourite roles and wrong sexes at best {roles}, stage elements {elements}, director {director}"
)
SUM_OF_NOBODY: Final = mark("stars {stars}, favourite roles and wrong sexes {roles}, director {director}")


def troupes_tall(seats: int) -> float:
    """How tall the panel is; two players have the troupe of nobody besides."""
    return BLOCKS.y + BLOCKS.height(seats + (seats == 2)) + EDGE


def troupes(view: View, words: Words, touched: Touched) -> Layer:
    """What everybody sees of it."""
    s = view.row
    items: list[Item] = []
    for seat, person in enumerate(people(words, view.seats)):
        purse, director = (s[F.money + seat], s[F.elements + seat]), s[F.director + seat]
        items += _troupe(words.nameless(), seat, person.name, s[F.puccini] == seat, purse, troupe_of(s, seat), director)
        if ("named", seat) in touched:
            items.append(Item(f"trace-troupe-{seat}", f"troupe-{seat}", BLOCK_TRACE))
    if view.seats == 2:
        troupe = tuple(s[F.fictitious : F.fictitious + TROUPE])
        items += _fictitious(words.nameless(), troupe, s[F.fictitious_director])
    return Layer(
        [panel("troupes", words.say("The troupes"), WIDE, troupes_tall(view.seats))], [*items, *_traces(view, touched)]
    )


@drawing
def _troupe(
    words: Words, seat: Seat, name: str, has_puccini: bool, purse: tuple[int, int], troupe: Troupe, director: int
) -> tuple[Item, ...]:
    """The troupe of a seat: whose it is, money cards and stage elements, the cards, and what they come to."""
    values = (starred(troupe), best_roles(troupe), purse[1], brings(troupe, director))
    return (
        _block(seat, seat),
        *owner(seat, name, has_puccini),
        *_purse(words, seat, *purse),
        *row_of_cards(words, str(seat), troupe, director, 27),
        *_categories(words, str(seat), troupe),
        _sum(words, str(seat), values),
    )


@drawing
def _fictitious(words: Words, troupe: Troupe, director: int) -> tuple[Item, ...]:
    """The troupe of nobody, with the roles it already sings."""
    values = starred(troupe), favourites(list(troupe), 0) + wrong_sexes(list(troupe), 0), 0, brings(troupe, director)
    return (
        Item(f"troupe-{FICTITIOUS}", "troupes", fictitious_ground(words, BLOCKS.tall), *BLOCKS.place(2)),
        *row_of_cards(words, FICTITIOUS, troupe, director, 27),
        *_categories(words, FICTITIOUS, troupe),
        _sum(words, FICTITIOUS, values),
    )


def own_troupe(view: View, words: Words) -> list[Item]:
    """The reader's troupe stands first, and is called "you"."""
    s, seat = view.row, view.seat
    assert seat is not None
    items = []
    if s[F.asked] != NOTHING and seat > 0:
        items = [_block(one, (one - seat) % view.seats) for one in range(view.seats)]
    name = people(words, view.seats)[seat].name
    if seat == words.spoken_to(seat):
        name = words.say("{who} (you)", who=name)
    return [*items, *owner(seat, name, s[F.puccini] == seat)]


@drawing
def _block(seat: Seat, place: int) -> Item:
    """The ground of a troupe, and the mark of its seat."""
    wide, tall = BLOCKS.wide, BLOCKS.tall
    look = group([light(wide, tall), rect(0, 0, wide, tall, "raised", 8), seat_mark(seat, 15, 14, 17)])
    return Item(f"troupe-{seat}", "troupes", look, *BLOCKS.place(place), action=A.name + seat, ask=True)


@drawing
def owner(seat: Seat, name: str, has_puccini: bool) -> tuple[Item, ...]:
    """Whose troupe it is, and whether they have Puccini."""
    room = INNER - 190 if has_puccini else INNER - 110
    owner = Item(f"owner-{seat}", f"troupe-{seat}", line(name, 15, "name bold", "start", room), 30, 19)
    if not has_puccini:
        return (owner,)
    return owner, Item("puccini", f"troupe-{seat}", PUCCINI, 46 + min(measure(name, 15), room), 14, title="Puccini")


def _purse(words: Words, seat: Seat, money: int, elements: int) -> Iterator[Item]:
    """Stage elements first, then money spent, then money in hand: three cards in all, from the right."""
    for place in range(MONEY):
        look, title = SPENT, ""
        if place < elements:
            look, title = STAGE_ELEMENT, words.say("a stage element")
        elif place >= MONEY - money:
            look, title = MONEY_CARD, words.say("a money card")
        yield Item(f"money-{seat}-{place}", f"troupe-{seat}", look, INNER - 12 - 18 * place, 14, title=title)


def row_of_cards(words: Words, troupe: str, singers: Troupe, director: int, y: int) -> Iterator[Item]:
    """Six places for singers and one for the director."""
    parent, pitch = f"troupe-{troupe}", MINI + 2
    empty = [rect(slot * pitch, 0, MINI, SHORT, "spent", 5) for slot, one in enumerate(singers) if one == NONE]
    if director == NONE:
        empty.append(circle(TROUPE * pitch + 23, 30, 20, "spent"))
    if empty:
        yield Item(f"empty-{troupe}", parent, group(empty), 3, y)
    for slot, one in enumerate(singers):
        if one != NONE:
            title = singer_title(words, one)
            yield Item(f"singer-{SINGER_IDS[one]}", parent, small_singer(one), 3 + slot * pitch, y, title=title)
    if director != NONE:
        x, title = 3 + TROUPE * pitch + 23, director_title(words, director)
        yield Item(f"director-{DIRECTOR_IDS[director]}", parent, medallion(director, 43), x, y + 30, title=title)


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


def _categories(words: Words, troupe: str, singers: Troupe) -> Iterator[Item]:
    """How many singers of each category."""
    there = [CATEGORY[one] for one in singers if one != NONE]
    for number in range(CATEGORIES):
        look, cls = category(number, there.count(number)), "" if number in there else "dim"
        key, title = f"category-{troupe}-{number}", words.category(number)
        yield Item(key, f"troupe-{troupe}", look, 8 + 26 * number, 101, cls=cls, title=title)


@drawing
def category(number: int, count: int) -> str:
    """A category, and how many singers are of it."""
    return group([emblem(number, 5, 0, 0.68, "lit"), write(str(count), 17, 4.6, 13, cls="bold")])


def _sum(words: Words, troupe: str, values: tuple[int, int, int, int]) -> Item:
    """Stars, favourite roles and wrong sexes, stage elements, director, and what they come to."""
    message = SUM_OF_NOBODY if troupe == FICTITIOUS else SUM
    stars, roles, elements, director = values
    phrase = words.say(message, stars=stars, roles=points(roles), elements=elements, director=points(director))
    return Item(f"sum-{troupe}", f"troupe-{troupe}", _sum_line(values), INNER - 8, 105, title=phrase)


@drawing
def _sum_line(values: tuple[int, int, int, int]) -> str:
    stars, roles, elements, director = values
    parts = [write(str(sum(values)), 0, 2, 19, cls="title bold", anchor="end")]
    x = -30.0
    numbers: tuple[tuple[str, Callable[[float], str]], ...] = (
        (points(director), lambda x: sign(MEGAPHONE, x, -5, 0.61, "lit")),
        (str(elements), lambda x: sign(DRESS, x, -5, 0.61, "lit")),
        (points(roles), lambda x: sign(HEART, x, -4.6, 0.75, "bad")),
        (str(stars), lambda x: star(x, -5, 0.72)),
    )
    for text, draw in numbers:
        parts.append(write(text, x, 0, 13, anchor="end"))
        x -= measure(text, 13) + 7
        parts.append(draw(x))
        x -= 11
    return group(parts)


@drawing
def fictitious_ground(words: Words, tall: float) -> str:
    """The ground of the troupe of nobody."""
    name = write(words.say("Fictitious troupe"), 30, 19, 15, cls="name bold", anchor="start")
    return group([rect(0, 0, INNER, tall, "raised", 8), mask(16, 15, 1.1, "gold"), name])
