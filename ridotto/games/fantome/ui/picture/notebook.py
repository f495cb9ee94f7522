"""The notebook: the answers of the rounds, and which answer or alibi cleared whom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ridotto.core.view import Seen, View
from ridotto.games.fantome import rules
from ridotto.games.fantome.rules import F
from ridotto.games.fantome.ui.facts import members
from ridotto.games.fantome.ui.picture.people import NAMES, person
from ridotto.games.fantome.ui.picture.signs import SIGNS
from ridotto.games.fantome.ui.words import Words
from ridotto.present.kit import blank, drawing, fan, placed, rect
from ridotto.present.narrator import mark, opening
from ridotto.present.scene import Item
from ridotto.present.svg import Svg, measure, tag, write

TITLE: Final = mark("notebook")
NOTEBOOK_WIDE, NOTEBOOK_TALL = 287, 96
ALIBI: Final = 2
"""The kind of a note about an alibi; that of a note about an answer is whether the phantom can manifest."""
PITCH: Final = 33
"""The distance of one figure from the next."""
NOTE_WIDE: Final = 34
"""The width of the number of a round with a sign."""


class Note(NamedTuple):
    """An answer or an alibi, and whom it cleared."""

    round: int
    kind: int
    cleared: int


def notes_of(history: Sequence[Seen]) -> list[Note]:
    """The notes of a match; `history` has the events in effect, the latest first."""
    notes: list[Note] = []
    number = 0
    for one in reversed(history):
        name = one.event.name
        if name == "offers":
            number = one.values["round"]
        elif name == "announces":
            notes.append(Note(number, one.values["can"], 0))
        elif name == "clears" and notes:
            notes[-1] = notes[-1]._replace(cleared=one.values["who"])
        elif name == "shows" and one.values["new"]:
            notes.append(Note(number, ALIBI, 1 << one.values["who"]))
    return notes


def notebook_board(words: Words) -> str:
    """The sheet with its title."""
    title = write(opening(words.say(TITLE)), 10, 23, 18, cls="title", anchor="start")
    return blank(NOTEBOOK_WIDE, NOTEBOOK_TALL, "panel", 10) + title


def notebook_items(view: View, words: Words, notes: Sequence[Note]) -> Iterator[Item]:
    """The answers of the rounds, and everybody: below those who are cleared, by what."""
    left = 24 + measure(opening(words.say(TITLE)), 18, "serif")
    answers = [note for note in notes if note.kind != ALIBI]
    for x, note in zip(fan(len(answers), NOTE_WIDE, NOTEBOOK_WIDE - left - 4), answers, strict=True):
        yield Item(f"answer-{note.round}", "notebook", _note(words, note.round, note.kind), round(left + x, 1), 23)
    for who in range(rules.PEOPLE):
        is_cleared = not view.row[F.suspects] >> who & 1
        yield person(words, who, "notebook", "noted", 28 + PITCH * who, 73, 0.6, is_cleared)
    for note in notes:
        for who in members(note.cleared):
            x = 28 + PITCH * who - NOTE_WIDE / 2 + 2
            yield Item(f"note-{NAMES[who]}", "notebook", _note(words, note.round, note.kind), x, 91)


@drawing
def _note(words: Words, number: int, kind: int) -> str:
    """The number of a round, and the sign of an answer or a small card."""
    if kind == ALIBI:
        sign = rect(12, -12, 9, 13, "card", 2)
    else:
        shape, name = SIGNS[kind]
        sign = placed([tag("title", words.say(name)), Svg(shape)], 20, -5, 0.68)
    return write(str(number), 0, 0, 15, cls="strong", anchor="start") + sign
