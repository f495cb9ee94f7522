"""A view of Turandot drawn as SVG: the panels of the table, a file for each, and what lies on them.

The cards are in `cards`, with `signs`, `portraits` and `terms`; `plan` says where things lie in an audition.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Final

from ridotto.core.view import Seen, View
from ridotto.games.turandot.components import CATEGORIES, MONEY, SINGER_IDS, SINGERS, TROUPE
from ridotto.games.turandot.rules import CAST, NONE, NOTHING, ROUNDS, SEATS, A, F, is_bid, position_of
from ridotto.games.turandot.ui.picture.audition import audition, head, own_audition, round_text, rounds
from ridotto.games.turandot.ui.picture.cards import HELPER_KEYS, helper_token, laid_cards, singer_card, small_singer
from ridotto.games.turandot.ui.picture.casting import casting, castings, own_casting
from ridotto.games.turandot.ui.picture.directors import directors, own_standings
from ridotto.games.turandot.ui.picture.frames import CURTAIN
from ridotto.games.turandot.ui.picture.hand import cards_in_hand, hand, hand_heading
from ridotto.games.turandot.ui.picture.offers import pill, role
from ridotto.games.turandot.ui.picture.people import people, touched
from ridotto.games.turandot.ui.picture.places import edge, face_down_text, owes_text, status_look
from ridotto.games.turandot.ui.picture.plan import OFFER_TALL, SIZES, spot
from ridotto.games.turandot.ui.picture.reveal import RESULTS, result_text
from ridotto.games.turandot.ui.picture.score import score
from ridotto.games.turandot.ui.picture.style import STYLE
from ridotto.games.turandot.ui.picture.troupes import category, own_troupe, troupes
from ridotto.games.turandot.ui.picture.wings import pile
from ridotto.games.turandot.ui.words import Words
from ridotto.present.kit import frame, path, token
from ridotto.present.scene import Item, Layer, Move
from ridotto.present.svg import tag

__all__ = ["COLUMNS", "STYLE", "board", "kept_looks", "moves", "own", "preview", "shared", "vignette"]

COLUMNS: Final[tuple[tuple[str, ...], ...]] = ()
"""The panels have their places by `arrangement`."""
ON_CARD: Final = (4, 13, 1, 19, 22)
"""The singers on the card of the game in the lobby."""


def board(view: View, words: Words) -> dict[str, str]:
    """The frames of panels that have no other ground."""
    heights = {"audition": SIZES[view.seats].head, "places": SIZES[view.seats].places}
    heights |= dict.fromkeys(("singers-1", "singers-2", "finale-1", "finale-2"), OFFER_TALL)
    return {name: frame(tall) for name, tall in heights.items()}


def shared(view: View, words: Words) -> Layer:
    """The panels of this phase of the match, the most important first."""
    asked, moved = view.row[F.asked], touched(view)
    layers = [score(view, words)] if view.is_played_out else []
    if asked >= CAST and view.seats > 2:
        layers.append(head(view, words))
    if asked == NOTHING:
        layers.append(castings(view, words))
    else:
        layers.append(casting(view, words) if asked == CAST else audition(view, words, moved))
        layers.append(troupes(view, words, moved))
    layers.append(directors(view, words, moved))
    return _together(layers)


def own(view: View, words: Words) -> Layer:
    """The reader's hand, cards face down and casting, what cards and directors mean to the reader, and who "you" are."""
    asked = view.row[F.asked]
    layers = [Layer((), [*own_standings(view)])]
    if asked == CAST:
        layers.append(own_casting(view, words))
    elif asked != NOTHING:
        layers.append(own_audition(view, words))
        if view.outcome is None:
            layers.append(hand(view, words))
    return _together([*layers, Layer((), own_troupe(view, words))])


def _together(layers: Sequence[Layer]) -> Layer:
    panels, items = ([*chain.from_iterable(parts)] for parts in zip(*layers, strict=True))
    return Layer(panels, items)


def moves(view: View, seen: Sequence[Seen]) -> list[Move]:
    """Singers come from the pile, the reader's cards from the hand, and a money card becomes a stage element."""
    moves: list[Move] = []
    for one in seen:
        name, values = one.event.name, one.values
        if name == "undone":
            moves.clear()
        elif name == "presents":
            moves.append(Move("pile", f"singer-{SINGER_IDS[values['card']]}"))
        elif name == "lays" and values["seat"] == view.seat:
            choice = values["choice"]
            card = f"number-{position_of(choice)}" if is_bid(choice) else "coin-0"
            moves.append(Move(card, f"laid-{view.seat}"))
        elif name == "hires":
            seat = values["seat"]
            start, end = MONEY - view.row[F.money + seat] - 1, view.row[F.elements + seat] - 1
            if start != end:
                moves.append(Move(f"money-{seat}-{start}", f"money-{seat}-{end}"))
    return moves


def preview(view: View, words: Words, action: int) -> dict[str, Sequence[Item]]:
    """Nothing: what becomes of cards that are laid depends on the others."""
    return {}


def vignette(words: Words) -> tuple[list[str], str]:
    """Singers at an audition, fanned out under the curtain."""
    beams = ("M300 0H420L640 420H80Z", "M240 0H330L500 420H40Z", "M390 0H480L680 420H220Z")
    parts = [tag("rect", cls="room", width=720, height=420), *(path(beam, "beam") for beam in beams)]
    for at, number in enumerate(ON_CARD):
        aside = at - (len(ON_CARD) - 1) / 2
        x, y, turn = 360 + aside * 122, 74 + abs(aside * 11) * 1.5, aside * 11
        place = f"translate({x:g} {y:g}) rotate({turn:g} 0 280) scale(1.5) translate(-55 0)"
        parts.append(tag("g", singer_card(words.nameless(), number), transform=place))
    return [*parts, tag("g", CURTAIN, transform="scale(2)")], "0 0 720 360"


def kept_looks(words: Words) -> list[str]:
    """What comes again and again: cards, what is laid and what became of it, and the numbers beside them."""
    looks = [look for number in range(SINGERS) for look in (singer_card(words, number), small_singer(number))]
    looks += [category(number, count) for number in range(CATEGORIES) for count in range(TROUPE + 1)]
    looks += [laid_cards(choice) for choice in range(A.give)]
    looks += [role(position, has_card, False).look for position in range(TROUPE) for has_card in (False, True)]
    looks += [helper_token(number) for number in range(len(HELPER_KEYS))]
    looks += [rounds(round_text(words, number), number) for number in range(1, ROUNDS + 1)]
    looks += [pile(left) for left in range(SINGERS + 1)]
    for seats in range(SEATS[0], SEATS[1] + 1):
        tall, here = SIZES[seats].hand, spot(seats, 0)
        looks += [item.look for item in cards_in_hand(tall, seats, MONEY, NONE, 0)]
        results = list(dict.fromkeys(result_text(words, result) for result in RESULTS))
        states = [*results, *((text, "quiet dim") for text, _ in results), owes_text(words), face_down_text(words)]
        looks += [status_look(text, cls, here.wide) for text, cls in states]
        looks += [edge(here, cls) for cls in ("clash", "glory", "trace")]
    for seat, person in enumerate(people(words, SEATS[1])):
        looks.append(token(seat, 36, person.letter))
        looks += [pill(seat, value) for value in range(-TROUPE, 2 * TROUPE + 1)]
    titles = words.say("Your hand"), words.say("What will you lay?")
    return looks + [hand_heading(words, title, money) for title in titles for money in range(MONEY + 1)]
