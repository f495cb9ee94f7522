"""The panel of the audition: the cards on offer, who can be hired, and what lies before each seat."""

from __future__ import annotations

from collections.abc import Sequence

from ridotto.core.view import View
from ridotto.games.turandot.components import DIRECTOR_ROUND
from ridotto.games.turandot.rules import AUDITION, ROUNDS, F, next_lacking
from ridotto.games.turandot.ui.picture.frames import CURTAIN, frame
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
from ridotto.games.turandot.ui.picture.plan import is_directing, plan, weighs_for_all
from ridotto.games.turandot.ui.picture.reveal import NOT_SETTLED, last_reveal, revealed, settled
from ridotto.games.turandot.ui.picture.signs import mask
from ridotto.games.turandot.ui.picture.wings import wings
from ridotto.games.turandot.ui.words import Words
from ridotto.present.kit import EDGE, INNER, WIDE, circle, drawing, panel
from ridotto.present.scene import Item, Layer
from ridotto.present.svg import Panel, group, shape, write


def audition(view: View, words: Words, touched: Touched) -> Layer:
    """What everybody sees of it."""
    s, weighs = view.row, weighs_for_all(view.row)
    now = revealed(view)
    last = last_reveal(view) if now is None else None
    reveal = now or last
    results = NOT_SETTLED if reveal is None else settled(reveal)
    items = [
        frame("audition", plan(s, weighs).height),
        Item("curtain", "audition", CURTAIN),
        Item("round", "audition", rounds(round_text(words, s[F.round]), s[F.round])),
    ]
    if is_directing(s):
        items += directors_on_offer(view, words)
    else:
        items += singers_on_offer(view, words)
        items += wings(words, s, () if now is None else results.hired.values())
    if weighs:
        items += weighing(view, words, next_lacking(list(s)))
    for seat in range(view.seats):
        items += place(view, words, seat, last, results, ("laid", seat) in touched)
    if s[F.blind]:
        items.append(_blind(s, words, weighs))
    return Layer([_panel(s, words, weighs)], items)


def own_audition(view: View, words: Words) -> Layer:
    """What the cards would add for the reader, what the reader has laid, and what can be chosen."""
    s, seat = view.row, view.seat
    assert seat is not None
    weighs = s[F.asked] == AUDITION and not is_directing(s)
    gives = gives_several(view)
    items = [] if gives and s[F.lacking] >> seat & 1 else [place_item(view, words, seat, is_reader=True)]
    if weighs:
        items.append(frame("audition", plan(s, weighs).height))
        if s[F.blind]:
            items.append(_blind(s, words, weighs))
    if weighs or (weighs_for_all(s) and next_lacking(list(s)) == seat):
        items += weighing(view, words, seat)
    if s[F.pending + seat] >= 0:
        items += face_down(s, words, seat)
    if lays(s, seat):
        items += bids(view, words)
    elif gives:
        items += understudies(view, words)
    return Layer([_panel(s, words, weighs or weighs_for_all(s))], items)


def lays(s: Sequence[int], seat: int) -> bool:
    """Whether a seat is to lay cards now."""
    return bool(s[F.asked] == AUDITION and s[F.owing] >> seat & 1)


def _panel(s: Sequence[int], words: Words, weighs: bool) -> Panel:
    return panel("audition", words.say("The audition"), WIDE, plan(s, weighs).height)


def round_text(words: Words, number: int) -> str:
    """The number of a round."""
    return words.say("Round {round} of {last}", round=number, last=ROUNDS)


@drawing
def rounds(text: str, now: int) -> str:
    """Which round it is, and a light for each."""
    parts = [write(text, EDGE + 2, 52, 19, cls="title", anchor="start", within=150)]
    for number in range(1, ROUNDS + 1):
        x, y = WIDE - EDGE - 8 - 18 * (ROUNDS - number), 46
        sides, size = (-4, 12) if number == DIRECTOR_ROUND else (0, 9)
        parts.append(shape(sides, x, y, size, cls="gold" if number <= now else "goldline"))
        if number == now:
            parts.append(circle(x, y, 8.5, "glory"))
    return group(parts)


def _blind(s: Sequence[int], words: Words, weighs: bool) -> Item:
    return Item("blind", "audition", _blind_note(words.say("blind auditions")), EDGE, plan(s, weighs).blind)


@drawing
def _blind_note(text: str) -> str:
    return group([mask(16, 3, 1, "quiet"), write(text, 37, 7.5, 13, cls="quiet", anchor="start", within=INNER - 40)])
