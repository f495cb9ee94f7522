"""The deduction: whom each answer of the phantom would clear, and where La Carlotta would go; at the end, who it was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ridotto.core.view import View
from ridotto.engine.fields import Seat
from ridotto.games.fantome import rules
from ridotto.games.fantome.rules import F
from ridotto.games.fantome.ui.facts import Announcement, announcements, members
from ridotto.games.fantome.ui.picture.people import figure, person
from ridotto.games.fantome.ui.picture.signs import SIGNS
from ridotto.games.fantome.ui.picture.track import DIVA
from ridotto.games.fantome.ui.words import Words
from ridotto.present.kit import WIDE, Column, blank, drawing, line, lines, panel, path, placed
from ridotto.present.narrator import mark, opening
from ridotto.present.scene import Item
from ridotto.present.svg import Panel, Svg, measure, tag, wrap, write

TITLE: Final = mark("deduction")
ANSWER_TALL: Final = 134
_COLUMN: Final = Column(38, gap=8)
TOPS: Final = {1: _COLUMN.add(ANSWER_TALL), 0: _COLUMN.add(ANSWER_TALL)}
"""The upper edge of each answer."""
TALL: Final = round(_COLUMN.end + 8)
PITCH: Final = 41
"""The distance of one figure from the next."""
CLEARS: Final = (mark("clears whoever is alone or in the dark"), mark("clears whoever has company in the light"))


def deduction_panel(view: View, words: Words) -> Panel:
    """The panel, by its name or by who has won."""
    if view.outcome is None:
        return panel("deduction", opening(words.say(TITLE)), WIDE, TALL)
    return panel("deduction", opening(words.victory(view.outcome.winners[0])), WIDE, TALL)


def deduction_items(view: View, words: Words, answers: Sequence[Announcement], is_unsure: bool = False) -> Iterator[Item]:
    """Both answers; or who the phantom was. `is_unsure`: a draw comes before the answers."""
    if view.outcome is not None:
        end, ending = view.outcome, words.ending(view.outcome)
        look = _unmasking(words, end.winners[0], ending, end.section, view.row[F.identity], view.row[F.held])
        yield Item("unmasking", "deduction", look)
        return
    yield _frame(words)
    note = line("?", 20, "quiet", "end") if is_unsure else line("§6.2", 15, "quiet", "end")
    yield Item("deduction-note", "deduction", note, 348, 26)
    for answer in answers:
        yield from _answer(view, words, answer)


@drawing
def deduction_undealt(words: Words) -> list[Item]:
    """Before the deal there is nothing to deduce."""
    text = words.say("The cards are dealt as soon as both players are here.")
    texts = lines(wrap(text, WIDE - 60, 17, "serif"), WIDE / 2, TALL / 2, 17, 24, cls="name quiet")
    return [Item("deduction-frame", "deduction", blank(WIDE, TALL, "panel", 10) + "".join(texts))]


def own_deduction(view: View, words: Words) -> Iterator[Item]:
    """The parts that speak of the reader: the phantom's answer, and an answer by which the reader would win."""
    if words.is_reader(rules.PHANTOM):
        yield _frame(words)
    for answer in announcements(view.row):
        if answer.winner is not None and words.is_reader(answer.winner):
            yield _answer_frame(words, answer)


@drawing
def _frame(words: Words) -> Item:
    text = words.tell(rules.PHANTOM, "If the round ended now:", "If the round ended now, the phantom")
    title = write(text, 12, 26, 18, cls="title", anchor="start", within=292)
    return Item("deduction-frame", "deduction", blank(WIDE, TALL, "panel", 10) + title)


# The answers.


def _answer(view: View, words: Words, answer: Announcement) -> Iterator[Item]:
    """One answer: its consequence, the suspects it would leave, and those it would clear."""
    can, cleared, left = answer.can, answer.cleared, answer.left
    key = f"verdict-{can}"
    yield _answer_frame(words, answer)
    if left == 0:
        return
    if answer.winner is None:
        walk = f"{view.row[F.carlotta]} → {answer.space}"
        yield Item(f"{key}-diva", key, DIVA, round(306 - measure(walk, 20)), 32, 0.37)
        yield Item(f"{key}-walk", key, line(walk, 20, "strong", "end"), 336, 29)
    # The figures stay in the same order, so that those that change sides are seen to go there.
    beside = {False: 25, True: _beyond(left)}
    for who in members(view.row[F.suspects]):
        is_cleared = bool(cleared >> who & 1)
        yield person(words, who, key, key, beside[is_cleared], 111, 0.84, is_cleared)
        beside[is_cleared] += PITCH
    yield Item(f"{key}-tally", key, _tally(words, left, cleared.bit_count()))


def _answer_frame(words: Words, answer: Announcement) -> Item:
    """An answer with its consequence."""
    look = _consequence(words, answer.can, answer.left, answer.winner)
    return Item(f"verdict-{answer.can}", "deduction", look, 8, TOPS[answer.can])


@drawing
def _consequence(words: Words, can: int, left: int, winner: Seat | None) -> str:
    """The frame of an answer with its sign, its name and its consequence."""
    sign, name = SIGNS[can]
    within = 176 if left > 1 and winner is None else 290
    parts = [
        blank(WIDE - 16, ANSWER_TALL, "verdict", 8),
        placed([tag("title", words.say(name)), sign], 24, 21, 1.15),
        write(words.say(name), 46, 26, 18, cls="name", anchor="start", within=within),
    ]
    if left == 0:
        parts.append(write(words.say("impossible: no suspect would be left"), 172, 86, 15, cls="quiet", within=320))
    elif winner is None:
        parts.append(write(words.say(CLEARS[can]), 46, 45, 15, cls="quiet", anchor="start", within=292))
    else:
        text = words.escape() if winner == rules.PHANTOM else opening(words.victory(winner))
        parts.append(write(text, 46, 45, 15, cls="strong", anchor="start", within=292))
    return "".join(parts)


@drawing
def _tally(words: Words, left: int, cleared: int) -> str:
    """The numbers of suspects that would be left and cleared, with a line between them."""
    counted = write(words.say("suspects: {count}", count=left), 10, 128, 15, cls="strong", anchor="start")
    if not cleared:
        return counted
    beside = min(max(_beyond(left) - 16, 122), 220)
    text = write(words.say("cleared: {count}", count=cleared), beside, 128, 15, cls="good", anchor="start")
    return counted + path(f"M{_beyond(left) - 24} 54V111", "rule") + text


def _beyond(left: int) -> int:
    """The place of the first one who would be cleared, right of so many others."""
    return 25 + left * PITCH + 8


# The end.

THEATRE: Final = (
    '<path class="spot" d="M150 74H210L262 236H98Z"/><path class="boards" d="M20 232H340V246H20Z"/>'
    '<path class="cloth" d="M20 72H120Q112 150 52 220L20 232ZM340 72H240Q248 150 308 220L340 232Z"/>'
    '<path class="line" d="M44 72Q44 150 30 226M74 72Q72 150 40 222M100 72Q94 150 50 216M316 72Q316 150 330 226'
    "M286 72Q288 150 320 222"
    'M260 72Q266 150 310 216"/>'
)


@drawing
def _unmasking(words: Words, winner: Seat, ending: str, section: str, identity: int, held: int) -> str:
    """The phantom's face, and who has won."""
    parts = [
        blank(WIDE, TALL, "panel", 10),
        write(opening(words.victory(winner)), 180, 36, 24, cls="title", within=250),
        write(opening(ending), 180, 59, 15, cls="quiet", within=338),
        write(f"§{section}", 348, 26, 15, cls="quiet", anchor="end"),
        THEATRE,
        placed([Svg(figure(identity, True))], 180, 236, 2),
    ]
    text = words.tell(rules.PHANTOM, "You were {who}.", "The phantom was {who}.", who=words.who(identity))
    parts.append(write(text, 180, 281, 19, cls="name", within=330))
    kept = words.cast(held) if held else words.say("none")
    parts.append(write(f"{words.say('alibis kept:')} {kept}", 180, 305, 15, cls="quiet", within=336))
    return "".join(parts)
