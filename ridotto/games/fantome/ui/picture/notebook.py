"""The notebook: the answers and alibis of each round, and whom they cleared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ridotto.core.view import Seen, View
from ridotto.games.fantome import rules
from ridotto.games.fantome.rules import F
from ridotto.games.fantome.ui.facts import members
from ridotto.games.fantome.ui.picture.people import person
from ridotto.games.fantome.ui.picture.signs import SIGNS
from ridotto.games.fantome.ui.words import Words
from ridotto.present.kit import WIDE, blank, drawing, line, placed, rect
from ridotto.present.narrator import mark, opening
from ridotto.present.scene import Item
from ridotto.present.svg import tag, write

TITLE: Final = mark("notebook")
ALIBI: Final = 2
"""The kind of a note about an alibi; that of a note about an answer is whether the phantom can manifest."""


class Note(NamedTuple):
    """An answer or an alibi, whom it cleared, and its place."""

    round: int
    kind: int
    cleared: int
    x: int
    y: int


def notes_of(history: Sequence[Seen]) -> list[Note]:
    """The notes of a match, in lines; `history` has the events in effect, the latest first."""
    notes: list[Note] = []
    x, y = 14, 42
    for number, kind, cleared in _clearings(history):
        wide = 44 + 27 * cleared.bit_count()
        if x + wide > 352:
            x, y = 14, y + 44
        notes.append(Note(number, kind, cleared, x, y))
        x += wide + 6
    return notes


def _clearings(history: Sequence[Seen]) -> list[tuple[int, int, int]]:
    """The round, the kind and the cleared characters of each note."""
    clearings: list[tuple[int, int, int]] = []
    number = 0
    for one in reversed(history):
        name = one.event.name
        if name == "offers":
            number = one.values["round"]
        elif name == "announces":
            clearings.append((number, one.values["can"], 0))
        elif name == "clears" and clearings:
            clearings[-1] = (*clearings[-1][:2], one.values["who"])
        elif name == "shows" and one.values["new"]:
            clearings.append((number, ALIBI, 1 << one.values["who"]))
    return clearings


def notebook_tall(notes: Sequence[Note]) -> int:
    """The height of the panel."""
    return notes[-1].y + 46 if notes else 66


def notebook_items(view: View, words: Words, notes: Sequence[Note]) -> Iterator[Item]:
    """The notes, and the number of suspects that are left."""
    suspects = view.row[F.suspects].bit_count()
    yield Item("notebook-frame", "notebook", _frame(words, notebook_tall(notes)))
    count = words.say("suspects: {count}", count=suspects)
    yield Item("notebook-suspects", "notebook", line(count, 15, "strong", "end"), 346, 27)
    if not notes:
        # In a match that goes on from a position, nothing tells when people were cleared.
        cleared = rules.PEOPLE - suspects
        before = words.count("{number} person was cleared before", "{number} people were cleared before", cleared)
        text = before if cleared else words.say("nobody is cleared yet")
        yield Item("notebook-empty", "notebook", line(text, 14, "quiet", "start"), 14, 52)
    for number, note in enumerate(notes):
        key = f"note-{number}"
        yield Item(key, "notebook", _note(words, note.round, note.kind), note.x, note.y)
        for place, who in enumerate(members(note.cleared)):
            yield person(words, who, key, key, 54 + place * 27, 38, 0.56, True)


@drawing
def _frame(words: Words, tall: int) -> str:
    title = write(opening(words.say(TITLE)), 14, 27, 19, cls="title", anchor="start")
    return blank(WIDE, tall, "panel", 10) + title


@drawing
def _note(words: Words, number: int, kind: int) -> str:
    """The number of a round, and the sign of an answer or a small card."""
    if kind == ALIBI:
        sign = rect(21, 10, 14, 22, "card", 2)
    else:
        shape, name = SIGNS[kind]
        sign = placed([tag("title", words.say(name)), shape], 28, 21, 0.8)
    return write(str(number), 0, 26, 15, cls="strong", anchor="start") + sign
