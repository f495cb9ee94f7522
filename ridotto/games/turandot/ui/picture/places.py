"""The places before the seats: what is laid there, and what became of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ridotto.core.view import View
from ridotto.engine.fields import Seat
from ridotto.games.turandot.rules import AUDITION, NONE, UNDERSTUDY, F, next_lacking
from ridotto.games.turandot.ui.picture.cards import HOLDER, NO_CARDS, QUILL_TOKEN, card_back, laid_cards
from ridotto.games.turandot.ui.picture.people import Person, people
from ridotto.games.turandot.ui.picture.plan import Spot, spot_of
from ridotto.games.turandot.ui.picture.reveal import Reveal, Settled, result_text
from ridotto.games.turandot.ui.picture.wings import helper
from ridotto.games.turandot.ui.words import Words
from ridotto.present.kit import centred, drawing, line, rect
from ridotto.present.scene import Item
from ridotto.present.svg import group, measure, seat_mark, write


def place(view: View, words: Words, seat: Seat, last: Reveal | None, settled: Settled, is_traced: bool) -> Iterator[Item]:
    """A seat with its cards face down, or turned up with what became of them; or pale, those of the last audition."""
    s, key, here = view.row, f"place-{seat}", spot_of(view.row, seat)
    wide = here.wide
    shown, result, hired = s[F.shown + seat], settled.results.get(seat, ""), settled.hired.get(seat, NONE)
    owes = s[F.asked] == AUDITION and bool(s[F.owing] >> seat & 1)
    status = ("", "")

    def laid(look: str, title: str = "", cls: str = "", aside: float = 0) -> Item:
        return _laid(seat, here, look, title)._replace(cls=cls, x=_laid_at(here)[0] + aside)

    yield place_item(view, words, seat, is_reader=False)
    if shown >= 0:
        x, y, scale = _laid_at(here)
        yield laid(laid_cards(shown), words.laid(shown), aside=-14 * scale if result == "hires" else 0)
        if result == "hires":
            yield helper(words, hired, key, x + 15 * scale, y, round(0.72 * scale, 2))
        status = result_text(words, result)
    elif s[F.pending + seat] >= 0:
        yield from face_down(s, words, seat)
    elif (n := s[F.laid + seat]) > 0:
        look = _backs(seat, n, min(14.0, (wide - 30) / _laid_at(here)[2] / max(1, n - 1)))
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
        yield _status(seat, *status, here)
    if s[F.puccini] == seat:
        yield Item("quill", key, QUILL_TOKEN, wide - 9, 6, title=words.say(HOLDER))
    if shown >= 0 and result == "tied":
        yield Item(f"edge-{seat}", key, edge(here, "clash"))
    elif owes or (s[F.asked] == UNDERSTUDY and seat == next_lacking(list(s))):
        yield Item(f"edge-{seat}", key, edge(here, "glory"))
    elif is_traced:
        yield Item(f"edge-{seat}", key, edge(here, "trace"))


def place_item(view: View, words: Words, seat: Seat, *, is_reader: bool) -> Item:
    """The ground of a place, with the seat's name."""
    person, here = people(words, view.seats)[seat], spot_of(view.row, seat)
    return Item(f"place-{seat}", "places", _ground(seat, person, here._replace(x=0), is_reader), here.x, 4, title=person.name)


@drawing
def _ground(seat: Seat, person: Person, here: Spot, is_reader: bool) -> str:
    size, y, cls = (13, 14, "bold" if is_reader else "") if here.is_flat else (15.5, 14, "bold" if is_reader else "")
    room = here.wide * 0.55 if here.is_flat else here.wide
    long = min(20 + measure(person.name, size), room - 6)
    left = 4 if here.is_flat else here.wide / 2 - long / 2
    parts = [rect(0, 0, here.wide, here.tall, "raised", 8)]
    if 0.85 * measure(person.name, size) <= long - 20:
        parts.append(seat_mark(seat, left + 8, y, 14))
        parts.append(write(person.name, left + 20, y + 5, size, anchor="start", cls=cls, within=long - 20))
    else:
        parts.append(seat_mark(seat, left + 14 if here.is_flat else here.wide / 2, y, 22, person.letter))
    return group(parts)


@drawing
def _laid_at(here: Spot) -> tuple[float, float, float]:
    """The place and the scale of what is laid."""
    if here.is_flat:
        return here.wide * 0.78, here.tall / 2, 0.95
    room = here.tall - 44
    return here.wide / 2, round(25 + room / 2, 1), round(min(room / 36, here.wide / 68), 2)


def _laid(seat: Seat, here: Spot, look: str, title: str) -> Item:
    x, y, scale = _laid_at(here)
    return Item(f"laid-{seat}", f"place-{seat}", look, x, y, scale, title=title)


def face_down(s: Sequence[int], words: Words, seat: Seat) -> list[Item]:
    """The cards that a seat has laid, for whoever may know them."""
    here, choice = spot_of(s, seat), s[F.pending + seat]
    return [_laid(seat, here, laid_cards(choice), words.laid(choice)), _status(seat, *face_down_text(words), here)]


def _status(seat: Seat, text: str, cls: str, here: Spot) -> Item:
    if here.is_flat:
        look = line(text, 13, cls, "start", here.wide * 0.55 - 6)
        return Item(f"status-{seat}", f"place-{seat}", look, 5, here.tall - 5)
    return Item(f"status-{seat}", f"place-{seat}", status_look(text, cls, here.wide), here.wide / 2, here.tall - 6)


def status_look(text: str, cls: str, wide: float) -> str:
    """What became of the cards at a place so wide."""
    return line(text, 15.5, cls, within=wide - 4)


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
def edge(here: Spot, cls: str) -> str:
    """A line around a place."""
    return rect(1, 1, here.wide - 2, here.tall - 2, cls, 8)
