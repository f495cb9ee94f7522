"""The cards on offer: singers under the roles, or directors; what they would add, and what can be chosen of them."""

from __future__ import annotations

from collections.abc import Iterator

from ridotto.core.view import View
from ridotto.engine.fields import Seat
from ridotto.games.turandot.components import DIRECTOR_IDS, SINGER_IDS, SINGERS
from ridotto.games.turandot.rules import NONE, UNDERSTUDY, A, F
from ridotto.games.turandot.ui.messages import ROLES, points
from ridotto.games.turandot.ui.picture.cards import CARD, TALL, director_card, singer_card, singer_title
from ridotto.games.turandot.ui.picture.people import people
from ridotto.games.turandot.ui.picture.places import place_item
from ridotto.games.turandot.ui.picture.plan import (
    CARDS_ON_OFFER,
    HEAD,
    LEGEND,
    ROW,
    SIZES,
    is_directing,
    panel_of,
    spot_of,
    weighs_for_all,
)
from ridotto.games.turandot.ui.picture.reveal import takers
from ridotto.games.turandot.ui.picture.signs import light
from ridotto.games.turandot.ui.picture.terms import director_title
from ridotto.games.turandot.ui.picture.wings import helper, places_of
from ridotto.games.turandot.ui.picture.worth import gains, offer_of, troupe_of
from ridotto.games.turandot.ui.words import Words
from ridotto.present.kit import EDGE, INNER, badge, drawing, rect, token
from ridotto.present.scene import Item
from ridotto.present.svg import group, tag, write


def singers_on_offer(view: View, words: Words) -> Iterator[Item]:
    """The roles with their numbers, and a singer under each."""
    offer = offer_of(view.row)
    if not view.to_act and view.outcome is None:  # before the deal
        offer = (NONE,) * len(offer)
    seats = takers(view) if NONE in offer else {}
    for position, card in enumerate(offer):
        yield role(position, card != NONE, is_directing=False)
        if card != NONE:
            yield _singer(words.nameless(), position, card)
        elif position in seats:
            yield _taken(view, words, position, seats[position])._replace(cls="dim")


def directors_on_offer(view: View, words: Words) -> Iterator[Item]:
    """In the fourth round a director lies under each number."""
    offer = offer_of(view.row)
    seats = takers(view) if NONE in offer else {}
    for position, card in enumerate(offer):
        yield role(position, card != NONE, is_directing=True)
        if card != NONE:
            yield _director(words.nameless(), position, card - SINGERS)
        elif position in seats:
            yield _taken(view, words, position, seats[position])._replace(cls="dim")


def _taken(view: View, words: Words, position: int, taker: Seat) -> Item:
    """The mark of whoever is given a card, at its place."""
    mark = token(taker, 36, people(words, view.seats)[taker].letter)
    return Item(f"taken-{position}", f"offer-{position}", mark, CARD / 2, HEAD + TALL / 2)


@drawing
def role(position: int, has_card: bool, is_directing: bool) -> Item:
    """A number with its role, unless directors are on offer, and the place for a card."""
    parts = [
        *badge(str(position + 1), 12, 11, 11, 17, "gold", "name oncoin bold"),
        light(CARD, TALL, 0, HEAD) if has_card else rect(0, HEAD, CARD, TALL, "pit", 8),
    ]
    if not is_directing:
        parts.append(write(ROLES[position], 28, 16.5, 16, cls="name quiet", anchor="start"))
    action, (x, y) = A.give + position if has_card else -1, CARDS_ON_OFFER.place(position % ROW)
    return Item(f"offer-{position}", panel_of(position), group(parts), x, y, action=action, ask=has_card)


@drawing
def _director(words: Words, position: int, number: int) -> Item:
    title = director_title(words, number)
    return Item(f"director-{DIRECTOR_IDS[number]}", f"offer-{position}", director_card(words, number), 0, HEAD, title=title)


@drawing
def _singer(words: Words, position: int, card: int) -> Item:
    look, title = singer_card(words, card), singer_title(words, card)
    return Item(f"singer-{SINGER_IDS[card]}", f"offer-{position}", look, 0, HEAD, title=title)


# What the cards would add.


def weighing(view: View, words: Words, taker: Seat) -> tuple[Item, ...]:
    """What each card would add to the points of a seat, and a line that says so."""
    s = view.row
    if taker == words.spoken_to(view.seat):
        text = words.say("what the card would add to your points now")
    else:
        text = words.say("what the card would add for {who} now", who=words.player(taker))
    key = "" if weighs_for_all(s) else "own-"  # what everybody sees and what one seat sees are not the same thing
    return _weighing(
        key, taker, text, offer_of(s), troupe_of(s, taker), s[F.director + taker], SIZES[view.seats].places - LEGEND
    )


@drawing
def _weighing(
    key: str, taker: Seat, text: str, offer: tuple[int, ...], troupe: tuple[int, ...], director: int, y: float
) -> tuple[Item, ...]:
    singers = tuple(card for card in offer if card != NONE)
    added = dict(zip(singers, gains(troupe, director, singers), strict=True))
    sample = [
        rect(2, -8, 28, 16, f"seat{taker}", 8),
        write(text, 37, 5, 15.5, cls="quiet", anchor="start", within=INNER * 0.62),
        write("+", 16, 5.5, 15, cls="onseat"),
    ]
    items = [Item(f"{key}legend", "places", group(sample), EDGE, y)]
    for position, card in enumerate(offer):
        if card != NONE:
            parent = f"singer-{SINGER_IDS[card]}"
            items.append(Item(f"{key}pill-{position}", parent, pill(taker, added[card]), CARD - 22, 62, title=text))
    return tuple(items)


@drawing
def pill(seat: Seat, value: int) -> str:
    """What a card would add to a seat's points."""
    return group([rect(-17, -10, 34, 20, f"seat{seat}", 10), write(points(value), 0, 5.5, 16, cls="onseat")])


# What can be chosen.


def gives_several(view: View) -> bool:
    """Whether the reader gives cards to several, in whatever order."""
    return bool(view.legal and view.row[F.asked] == UNDERSTUDY and view.row[F.lacking].bit_count() > 1)


def understudies(view: View, words: Words) -> Iterator[Item]:
    """Those who lack a card, and the cards: either is touched first. A card that is promised has its taker's mark."""
    s, players = view.row, people(words, view.seats)
    promised = {int(one.split()[2]) - 1: int(one.split()[1]) for one in view.noted}
    for seat in range(view.seats):
        if s[F.lacking] >> seat & 1:
            place = place_item(view, words, seat, is_reader=seat == view.seat)
            look = light(spot_of(s, seat).wide, spot_of(s, seat).tall) + place.look
            label = words.say("you") if seat == words.spoken_to(view.seat) else players[seat].name
            yield place._replace(look=look, part=f"about={seat}", label=label)
    for position, card in enumerate(offer_of(s)):
        if position in promised:
            yield _taken(view, words, position, promised[position])
        elif card != NONE:
            yield _choice(position, is_directing(s), f"choice={position + 1}", words.card(card))


def bids(view: View, words: Words) -> tuple[Item, ...]:
    """The cards on offer, for whoever bids for one; whoever can be hired, for money alone."""
    may_hire = not is_directing(view.row) and any(action >= A.money for action in view.legal)
    places = places_of(view.row)[:-1] if may_hire else ()
    return _bids(words.nameless(), offer_of(view.row), is_directing(view.row), tuple(place[:4] for place in places))


@drawing
def _bids(
    words: Words, offer: tuple[int, ...], is_directing: bool, helpers: tuple[tuple[str, float, float, float], ...]
) -> tuple[Item, ...]:
    items = []
    for position, card in enumerate(offer):
        label = words.say("number {number}: {card}", number=position + 1, card=words.card(card))
        items.append(_choice(position, is_directing, number_part(position + 1), label))
    for number, place in enumerate(helpers):
        item = helper(words, number, *place)
        look = tag("circle", r=22, cls="halo") + item.look
        items.append(item._replace(look=look, part=number_part(0), label=words.say("money alone")))
    return tuple(items)


def _choice(position: int, is_directing: bool, part: str, label: str) -> Item:
    """A card on offer as a part of an answer."""
    item = role(position, True, is_directing)
    return item._replace(action=-1, ask=False, part=part, label=label)


def number_part(number: int) -> str:
    """The part of a bid that a number is; 0 is money alone."""
    return f"number={number}"
