"""The places before the seats: what is laid there, and what became of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ridotto.core.view import View
from ridotto.engine.fields import Seat
from ridotto.games.turandot.rules import AUDITION, NONE, UNDERSTUDY, F, next_lacking
from ridotto.games.turandot.ui.picture.cards import HOLDER, NO_CARDS, QUILL_TOKEN, card_back, laid_cards
from ridotto.games.turandot.ui.picture.people import Person, people
from ridotto.games.turandot.ui.picture.plan import PLACE, place_wide, place_x, plan
from ridotto.games.turandot.ui.picture.reveal import Reveal, Settled, result_text
from ridotto.games.turandot.ui.picture.wings import helper
from ridotto.games.turandot.ui.words import Words
from ridotto.present.kit import centred, drawing, line, rect
from ridotto.present.scene import Item
from ridotto.present.svg import group, measure, seat_mark, write


def place(view: View, words: Words, seat: Seat, last: Reveal | None, settled: Settled, is_traced: bool) -> Iterator[Item]:
    """A seat with its cards face down, or turned up with what became of them; or pale, those of the last audition."""
    s, key, wide = view.row, f"place-{seat}", place_wide(view.seats)
    shown, result, hired = s[F.shown + seat], settled.results.get(seat, ""), settled.hired.get(seat, NONE)
    owes = s[F.asked] == AUDITION and bool(s[F.owing] >> seat & 1)
    status = ("", "")

    def laid(look: str, title: str = "", cls: str = "", x: float = wide / 2) -> Item:
        return Item(f"laid-{seat}", key, look, x, 50, cls=cls, title=title)

    yield place_item(view, words, seat, is_reader=False)
    if shown >= 0:
        yield laid(laid_cards(shown), words.laid(shown), x=wide / 2 - 14 if result == "hires" else wide / 2)
        if result == "hires":
            yield helper(words, hired, key, wide / 2 + 15, 50, 0.72)
        status = result_text(words, result)
    elif s[F.pending + seat] >= 0:
        yield from face_down(s, words, seat)
    elif (n := s[F.laid + seat]) > 0:
        look = _backs(seat, n, min(14.0, (wide - 30) / max(1, n - 1)))
        yield laid(look, words.say("cards face down: {n}", n=n))
        status = (words.say("one card") if n == 1 else words.say("{n} cards", n=n)), "bold"
    elif s[F.asked] == AUDITION and s[F.blind] and not owes:
        status = words.say("laid"), "quiet"
        yield laid(_two_backs(seat), status[0])
    elif last is not None:
        before = words.laid(last.choices[seat])
        yield laid(laid_cards(last.choices[seat]), words.say("last round: {cards}", cards=before), "dim")
        status = owes_text(words) if owes else (result_text(words, result)[0], "quiet dim")
    else:
        yield laid(NO_CARDS)
        status = owes_text(words) if owes else status
    if status[0]:
        yield _status(seat, *status, wide)
    if s[F.puccini] == seat:
        yield Item("quill", key, QUILL_TOKEN, wide - 8, -1, title=words.say(HOLDER))
    if shown >= 0 and result == "tied":
        yield Item(f"edge-{seat}", key, edge(wide, "clash"))
    elif owes or (s[F.asked] == UNDERSTUDY and seat == next_lacking(list(s))):
        yield Item(f"edge-{seat}", key, edge(wide, "glory"))
    elif is_traced:
        yield Item(f"edge-{seat}", key, edge(wide, "trace"))


def place_item(view: View, words: Words, seat: Seat, *, is_reader: bool) -> Item:
    """The ground of a place, with the seat's name."""
    person = people(words, view.seats)[seat]
    look = _ground(seat, person, place_wide(view.seats), is_reader)
    return Item(f"place-{seat}", "audition", look, place_x(view.row, seat), plan(view.row, False).places, title=person.name)


@drawing
def _ground(seat: Seat, person: Person, wide: float, is_reader: bool) -> str:
    middle = wide / 2
    long = min(20 + measure(person.name, 13), wide - 6)
    parts = [rect(0, 0, wide, PLACE, "raised", 8)]
    if person.is_named or measure(person.name, 12) <= long - 20:
        cls = "bold" if is_reader else ""
        parts.append(seat_mark(seat, middle - long / 2 + 8, 14, 14))
        parts.append(write(person.name, middle - long / 2 + 20, 18.5, 13, anchor="start", cls=cls, within=long - 20))
    else:
        parts.append(seat_mark(seat, middle, 15, 22, person.letter))
    return group(parts)


def face_down(s: Sequence[int], words: Words, seat: Seat) -> list[Item]:
    """The cards that a seat has laid, for whoever may know them."""
    wide, choice = place_wide(s[F.seats]), s[F.pending + seat]
    cards = Item(f"laid-{seat}", f"place-{seat}", laid_cards(choice), wide / 2, 50, title=words.laid(choice))
    return [cards, _status(seat, *face_down_text(words), wide)]


def _status(seat: Seat, text: str, cls: str, wide: float) -> Item:
    return Item(f"status-{seat}", f"place-{seat}", status_look(text, cls, wide), wide / 2, 93)


def status_look(text: str, cls: str, wide: float) -> str:
    """What became of the cards at a place so wide."""
    return line(text, 13, cls, within=wide - 4)


def owes_text(words: Words) -> tuple[str, str]:
    """A seat has to lay, with the classes of these words."""
    return words.say("to lay"), "gold bold"


def face_down_text(words: Words) -> tuple[str, str]:
    """The reader has laid, with the classes of these words."""
    return words.say("face down"), "quiet"


@drawing
def _backs(seat: Seat, number: int, step: float) -> str:
    return group([card_back(seat, x, 0) for x in centred(number, step)])


@drawing
def _two_backs(seat: Seat) -> str:
    """Cards that cannot be counted."""
    return group([card_back(seat, -4, 2), card_back(seat, 4, 0)])


@drawing
def edge(wide: float, cls: str) -> str:
    """A line around a place so wide."""
    return rect(1, 1, wide - 2, PLACE - 2, cls, 8)
