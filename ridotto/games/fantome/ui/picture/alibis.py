"""The ten cards of the alibi pile: turned up, kept by the phantom, still face down."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ridotto.core.view import Seen, View
from ridotto.games.fantome import components, rules
from ridotto.games.fantome.rules import F
from ridotto.games.fantome.ui.facts import face_down, members
from ridotto.games.fantome.ui.picture.people import NAMES, figure, titles
from ridotto.games.fantome.ui.picture.signs import MASK
from ridotto.games.fantome.ui.words import Words
from ridotto.present.kit import drawing, fan, line, placed
from ridotto.present.narrator import mark
from ridotto.present.scene import Item, Move
from ridotto.present.svg import Svg, group, tag

ALIBIS_WIDE, ALIBIS_TALL = 262, 96
CARD_SCALE: Final = 0.8
DOWN, KEPT, PHANTOM_CARD = ALIBIS = (
    mark("An alibi card, face down."),
    mark("An alibi card that was kept, face down."),
    mark("A phantom card that was among the alibis: it moved La Carlotta."),
)
"""Cards whose face does not tell what they are."""


def alibi_items(view: View, words: Words) -> Iterator[Item]:
    """The cards side by side, and their numbers."""
    row = view.row
    kept, ghosts, down = row[F.kept], row[F.ghosts], face_down(row)
    held = row[F.held] if view.outcome is not None else 0
    cards = [(NAMES[who], alibi_card(words, who), "onpaper", "") for who in members(row[F.shown])]
    drawn = range(components.PHANTOM_CARDS - ghosts)
    cards += [(f"phantom-{number}", alibi_card(words, None), "onpaper", words.say(PHANTOM_CARD)) for number in drawn]
    if held:
        cards += [(f"kept-{number}", alibi_card(words, who), "onpaper", "") for number, who in enumerate(members(held))]
    else:
        cards += [(f"kept-{number}", alibi_back(True), "sealed", words.say(KEPT)) for number in range(kept)]
    # Counted from the right, so that those that stay keep their places.
    cards += [(f"down-{number}", alibi_back(False), "sealed", words.say(DOWN)) for number in reversed(range(down))]
    for x, (name, look, cls, title) in zip(fan(len(cards), 24.4, 244), cards, strict=True):
        yield Item(f"alibi-{name}", "alibis", look, round(10 + x, 1), 31, CARD_SCALE, cls, title)
    yield _kept(words, kept, words.say("kept by the phantom: {count}", count=kept))
    text = words.say("face down: {count} (phantom cards: {ghosts})", count=down, ghosts=ghosts)
    yield Item("alibis-down", "alibis", line(text, 16, "", "start", 244), 10, 90)


def own_alibis(view: View, words: Words) -> Iterator[Item]:
    """The number of alibis that the phantom keeps, said to the phantom."""
    if words.is_reader(rules.PHANTOM):
        kept = view.row[F.kept]
        yield _kept(words, kept, words.say("kept by you: {count}", count=kept))


def _kept(words: Words, count: int, title: str) -> Item:
    look = line(words.say("kept: {count}", count=count), 16, "quiet", "end", 136)
    return Item("alibis-kept", "alibis", look, 252, 23, title=title)


def alibi_moves(row: Sequence[int], history: Sequence[Seen]) -> list[Move]:
    """The alibis that were drawn from the pile, in order; `history` has the events in effect, the latest first."""
    moves = []
    down, kept, ghosts = face_down(row), row[F.kept], components.PHANTOM_CARDS - row[F.ghosts]
    for one in history:
        end = ""
        if one.event.name == "shows":
            end = f"alibi-{NAMES[one.values['who']]}"
        elif one.event.name == "keeps":
            kept -= 1
            end = f"alibi-kept-{kept}"
        elif one.event.name == "ghost":
            ghosts -= 1
            end = f"alibi-phantom-{ghosts}"
        if end:
            moves.append(Move(f"alibi-down-{down}", end))
            down += 1
    return moves[::-1]


@drawing
def alibi_card(words: Words, who: int | None) -> str:
    """An alibi card face up: a character, or a phantom card."""
    paper = Svg('<rect class="card" width="30" height="52" rx="4"/>')
    if who is None:
        return paper + group([MASK], at=(15, 26))
    return paper + placed([tag("title", titles(words)[who]), Svg(figure(who))], 15, 49, 0.68)


@drawing
def alibi_back(is_kept: bool) -> str:
    """An alibi card face down; one that the phantom keeps bears a mask."""
    sign = Svg('<path class="onback" d="M15 12L24 26L15 40L6 26ZM4 4H26V48H4Z"/>')
    return Svg('<rect class="back" width="30" height="52" rx="4"/>') + (group([MASK], at=(15, 26)) if is_kept else sign)
