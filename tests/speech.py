"""How sentences may speak of their reader: looked at by the tests of games and of pages."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ridotto.core.game import Game
from ridotto.present.ui import ui
from ridotto.present.words import Words

NAMES = ("Ada", "Boris", "Chloé", "Dmitri", "Elif", "Farid")
"""Names that are part of no other word."""
NUMBERED = re.compile(
    r"\b(seat|chair|player|place|siège|fauteuil|joueur|joueuse|plaats|stoel|speler|zetel)s?\s*(n°|no\.|nr\.|#)?\s*\d", re.I
)
"""A seat with its number; the French and Dutch words also mean other things, but never with a number behind them."""
OUTSIDE = {
    "en": r"\b(this|that|the|another|other|whose|which) seats?\b|\bthis player\b",
    "fr": r"\bce(tte)? (place|joueur|joueuse|siège)\b",
    "nl": r"\b(deze|die) (plaats|speler|stoel)\b",
}
"""How a sentence speaks of whoever reads it without their name."""
INTRODUCTION = {
    "en": r"\byou (are|were|play)",
    "fr": r"\b(vous (êtes|étiez|jouez)( de nouveau)?|c'est vous)",
    "nl": r"\b((je|jij) (bent|was|speelt)( weer| met)?|(ben|was|speel) (je|jij))",
}
"""Words after which a seat's own name tells the reader which seat is theirs."""


def fault(words: Words, text: str, *, is_drawn: bool = False) -> str:
    """What is wrong with a sentence for the reader of some words; "" if nothing is.

    In a picture a name may also be a label: alone, or before a colon or a bracket.
    """
    language, reader = words.narrator.language, words.narrator.reader
    assert reader is not None
    if is_drawn:
        text = re.sub(rf"^{re.escape(words.player(reader))}(?=$|: | \()", "*", text)
    if not text or NUMBERED.search(text):
        return f"a seat's number, or nothing at all: {text!r}"
    if re.search(OUTSIDE[language], text, re.I):
        return f"speaks of a seat from outside: {text!r}"
    name = words.player(reader)
    own = re.escape(name)
    if re.search("[ ']", name):
        # A role has an article, in capitals or not, which melts into a preposition in French.
        own = "(?i:" + own.replace("Le\\ ", "(le|du|au)\\ ") + ")"
    others = re.sub(rf"(?i:{INTRODUCTION[language]}) {own}", "", text)
    return f"speaks of its reader, {name}, in the third person: {text!r}" if re.search(rf"(?<!\w){own}(?!\w)", others) else ""


def readers(game: Game, language: str, seats: int) -> Iterator[Words]:
    """The words for every seat, with names and without."""
    for names in ((), NAMES[:seats]):
        for reader in range(seats):
            yield ui(game).words(ui(game).narrator(language, names, reader))
