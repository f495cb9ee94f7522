"""The panels of the audition: the round, the cards on offer with who can be hired, and what lies before each seat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ridotto.core.view import View
from ridotto.games.turandot.components import DIRECTOR_ROUND
from ridotto.games.turandot.rules import AUDITION, ROUNDS, F, next_lacking
from ridotto.games.turandot.ui.picture.frames import CURTAIN
from ridotto.games.turandot.ui.picture.offers import (
    bids,
    directors_on_offer,
    gives_several,
    singers_on_offer,
    understudies,
    weighing,
)
from ridotto.games.turandot.ui.picture.people import Touched
from ridotto.games.turandot.ui.picture.places import face_down, place, place_item
from ridotto.games.turandot.ui.picture.plan import LEGEND, OFFER_TALL, ROW, SIZES, is_directing, weighs_for_all
from ridotto.games.turandot.ui.picture.reveal import NOT_SETTLED, last_reveal, revealed, settled
from ridotto.games.turandot.ui.picture.signs import mask
from ridotto.games.turandot.ui.picture.wings import wings
from ridotto.games.turandot.ui.words import Words
from ridotto.present.kit import EDGE, INNER, WIDE, circle, drawing, panel, path, rect
from ridotto.present.scene import Item, Layer
from ridotto.present.svg import Panel, group, measure, shape, tag, write


def audition(view: View, words: Words, touched: Touched) -> Layer:
    """What everybody sees of it."""
    s, weighs = view.row, weighs_for_all(view.row)
    now = revealed(view)
    last = last_reveal(view) if now is None else None
    reveal = now or last
    results = NOT_SETTLED if reveal is None else settled(reveal)
    items = [
        *head_items(words, s[F.round]),
        *(directors_on_offer(view, words) if is_directing(s) else singers_on_offer(view, words)),
        *wings(words, s, () if now is None else results.hired.values()),
        Item("hand-frame", "hand", _closed(SIZES[view.seats].hand)),
    ]
    if weighs:
        items += weighing(view, words, next_lacking(list(s)))
    for seat in range(view.seats):
        items += place(view, words, seat, last, results, ("laid", seat) in touched)
    if s[F.blind]:
        items.append(Item("blind", "places", _blind_note(words.say("blind auditions")), WIDE - EDGE, _legend_y(view.seats)))
    return Layer(list(_panels(view.seats, words)), items)


def own_audition(view: View, words: Words) -> Layer:
    """What the cards would add for the reader, what the reader has laid, and what can be chosen."""
    s, seat = view.row, view.seat
    assert seat is not None
    weighs = s[F.asked] == AUDITION and not is_directing(s)
    gives = gives_several(view)
    items = [] if gives and s[F.lacking] >> seat & 1 else [place_item(view, words, seat, is_reader=True)]
    if weighs or (weighs_for_all(s) and next_lacking(list(s)) == seat):
        items += weighing(view, words, seat)
    if s[F.pending + seat] >= 0:
        items += face_down(s, words, seat)
    if lays(s, seat):
        items += bids(view, words)
    elif gives:
        items += understudies(view, words)
    return Layer((), items)


def lays(s: Sequence[int], seat: int) -> bool:
    """Whether a seat is to lay cards now."""
    return bool(s[F.asked] == AUDITION and s[F.owing] >> seat & 1)


def head(view: View, words: Words) -> Layer:
    """The round alone, when no audition is held any more."""
    return Layer([_head_panel(view.seats, words)], head_items(words, view.row[F.round]))


def head_items(words: Words, number: int) -> list[Item]:
    """The curtain with the round."""
    return [Item("curtain", "audition", CURTAIN), Item("round", "audition", rounds(round_text(words, number), number))]


def _head_panel(seats: int, words: Words) -> Panel:
    return panel("audition", words.say("The audition"), WIDE, SIZES[seats].head)


def _panels(seats: int, words: Words) -> Iterator[Panel]:
    title = words.say("The audition")
    yield _head_panel(seats, words)
    for number in range(1 + seats // ROW):
        yield panel(f"singers-{number + 1}", title, WIDE, OFFER_TALL)
    yield panel("places", title, WIDE, SIZES[seats].places)
    yield panel("hand", title, WIDE, SIZES[seats].hand)


@drawing
def _closed(tall: int) -> str:
    """A closed curtain, where whoever has a hand sees it."""
    folds = [path(f"M{x} {2 * (x % 40 > 20)}q6 {tall / 2:g} 0 {tall}", "goldline") for x in range(24, WIDE, 24)]
    cloth = rect(0.5, 0.5, WIDE - 1, tall - 1, "drape", 10)
    return group([cloth, tag("g", *folds, opacity=0.25), CURTAIN, mask(WIDE / 2, tall / 2 + 10, 3.4, "gleam")])


def round_text(words: Words, number: int) -> str:
    """The number of a round."""
    return words.say("Round {round} of {last}", round=number, last=ROUNDS)


@drawing
def rounds(text: str, now: int) -> str:
    """Which round it is, and a light for each."""
    parts = [write(text, EDGE + 2, 52, 19, cls="title", anchor="start", within=170)]
    for number in range(1, ROUNDS + 1):
        x, y = WIDE - EDGE - 8 - 20 * (ROUNDS - number), 46
        sides, size = (-4, 13) if number == DIRECTOR_ROUND else (0, 10)
        parts.append(shape(sides, x, y, size, cls="gold" if number <= now else "goldline"))
        if number == now:
            parts.append(circle(x, y, 9.5, "glory"))
    return group(parts)


def _legend_y(seats: int) -> float:
    return SIZES[seats].places - LEGEND


@drawing
def _blind_note(text: str) -> str:
    size = 15.5
    wide = min(measure(text, size), INNER / 3)
    return group([mask(-wide - 14, 0, 1, "quiet"), write(text, 0, 5, size, cls="quiet", anchor="end", within=INNER / 3)])
