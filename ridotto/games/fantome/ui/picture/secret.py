"""Behind the mask: how many suspects there are; for the phantom their own face, answer and alibis, small and quiet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ridotto.core.view import View
from ridotto.engine.fields import HIDDEN
from ridotto.games.fantome import rules
from ridotto.games.fantome.rules import F
from ridotto.games.fantome.ui.facts import members
from ridotto.games.fantome.ui.picture.people import NAMES, figure
from ridotto.games.fantome.ui.picture.signs import MASK, SIGNS
from ridotto.games.fantome.ui.sketch import TOKENS
from ridotto.games.fantome.ui.words import Words
from ridotto.present.kit import blank, drawing, line, lines, panel, path, placed
from ridotto.present.narrator import mark, opening
from ridotto.present.scene import Item
from ridotto.present.svg import Panel, wrap

SECRET_WIDE, SECRET_TALL = 204, 96
OWN_TITLE, OPEN_TITLE = mark("for your eyes only"), mark("behind the mask")
TEXT_X: Final = 56
TEXT_WIDE: Final = SECRET_WIDE - TEXT_X - 6
CLOAK: Final = path("M6 88Q8 56 18 48Q11 40 13 30Q16 16 29 16Q42 16 45 30Q47 40 40 48Q50 56 52 88Z", "hood") + placed(
    [MASK], 29, 34, 1.1
)
"""Somebody under a hood."""


def knows_secret(view: View) -> bool:
    """Whether the reader may know during the match who the phantom is."""
    return view.row[F.identity] != HIDDEN and view.outcome is None


def mask_panel(words: Words) -> Panel:
    """The panel for whoever does not know, and for everybody after the end."""
    return panel("masked", opening(words.say(OPEN_TITLE)), SECRET_WIDE, SECRET_TALL)


def secret_panel(words: Words) -> Panel:
    """The panel that stands at the same place; with open eyes, which look back at a match that is over, it is nobody's own."""
    title = OWN_TITLE if words.is_reader(rules.PHANTOM) else OPEN_TITLE
    return panel("secret", opening(words.say(title)), SECRET_WIDE, SECRET_TALL, private=True)


def secret_board() -> str:
    """The edge of the panel."""
    return blank(SECRET_WIDE, SECRET_TALL, "hush", 10)


def mask_items(view: View, words: Words) -> Iterator[Item]:
    """Somebody with a mask, and how many it may be; after the end their face."""
    row = view.row
    if view.outcome is not None:
        name = words.who(row[F.identity])
        message = words.tell(rules.PHANTOM, "You were {who}.", "The phantom was {who}.", who=name)
        yield Item("masked-face", "masked", figure(row[F.identity], True), 29, 76, 0.86, title=opening(name))
        yield Item("masked-who", "masked", _lines(message, "name"), TEXT_X, 44)
        return
    count = words.say("suspects: {count}", count=row[F.suspects].bit_count())
    yield Item("masked-face", "masked", CLOAK)
    yield Item("masked-title", "masked", _lines(opening(words.say(OPEN_TITLE)), "name"), TEXT_X, 34)
    yield Item("masked-who", "masked", line(count, 16, "strong", "start", TEXT_WIDE), TEXT_X, 80)


def secret_items(view: View, words: Words) -> Iterator[Item]:
    """The face, the answer that would be given now, and the alibis; the phantom is spoken to, or about."""
    row = view.row
    identity, held = row[F.identity], row[F.held]
    name = words.who(identity)
    yield Item("secret-face", "secret", figure(identity), 29, 76, 0.86, title=opening(name))
    message = words.tell(rules.PHANTOM, "You are {who}.", "The phantom is {who}.", who=name)
    yield Item("secret-who", "secret", _lines(message, ""), TEXT_X, 24)
    can = 1 - (rules.watched(list(row)) >> identity & 1)
    answer = line(words.say(SIGNS[can][1]), 14.5, "quiet", "start", TEXT_WIDE)
    yield Item("secret-answer", "secret", answer, TEXT_X, 65)
    tokens = " ".join(TOKENS[who] for who in members(held)) or words.say("none")
    label = f"{words.say('alibis kept:')} {tokens}"
    yield Item(
        "secret-kept",
        "secret",
        line(label, 16, "quiet", "start", TEXT_WIDE),
        TEXT_X,
        87,
        title=words.cast(held) if held else "",
    )


@drawing
def _lines(text: str, cls: str) -> str:
    """One line, or two."""
    return "".join(lines(wrap(text, TEXT_WIDE, 16)[:2], 0, 0, 16, 17, cls=cls, anchor="start", within=TEXT_WIDE))


def mask(view: View) -> Item:
    """The mask that the phantom's own figure wears on the board."""
    return Item("mask", f"figure-{NAMES[view.row[F.identity]]}", MASK, 0, -50, 1.15)
