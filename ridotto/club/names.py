"""Names: when two are taken for one another, and which are kept for bots and for the house.

Two names are the same to us if they have the same *skeleton*: without case, accents, spaces and marks, and with letters that
look alike folded into one, as Unicode's report on security (UTS 39) does it. The table is our own, of the letters that look
like Latin ones in ordinary typefaces.

>>> skeleton("Rosina") == skeleton("RОSINА"), skeleton("Carl") == skeleton("Car1"), skeleton("René") == skeleton("rene")
(True, True, True)
>>> is_reserved("Rosina (Maestro, level 6)"), is_reserved("Rosinante")
(True, False)
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Final

from ridotto.present.narrator import LEVELS, LONGEST_NAME, STAGE_NAMES

LOOK_ALIKES: Final = (
    ("a", "аαɑ"),
    ("b", "ЬьЪъɓβв"),
    ("c", "сϲ¢ⅽ"),
    ("d", "ԁɗđ"),
    ("e", "еєҽ℮ε"),
    ("f", "ƒſ"),
    ("g", "ɡցǥ"),
    ("h", "һհнħ"),
    ("j", "јյϳ"),
    ("k", "кκ"),
    ("l", "1Ii|ıіι׀ӏوןIɩłᎥǃ!"),
    ("m", "мϻ"),
    ("n", "ոпηи"),
    ("o", "0оοσօ੦๐໐ഠøóө"),
    ("p", "рρ"),
    ("q", "ԛգ"),
    ("r", "гяɾᴦ"),
    ("s", "ѕ5$ꜱ"),
    ("t", "тτŧ"),
    ("u", "υսцʋ"),
    ("v", "νѵ"),
    ("w", "ԝωшաɯ"),
    ("x", "хχ×"),
    ("y", "уγүɣ"),
    ("z", "ʐᴢ2ƶζ"),
)
"""The letters that are taken for a Latin one, after case has been folded."""
PAIRS: Final = (("rn", "m"), ("vv", "w"), ("cl", "d"), ("æ", "ae"), ("œ", "oe"), ("ß", "ss"))
INVISIBLE: Final = "\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5"
"""Letters and marks that nobody sees, though Unicode does not count them among the control characters."""
LONGEST_SKELETON: Final = 120
RANKS: Final = (*LEVELS, "Ouvreur", "Choriste", "Soliste", "Virtuose", "Zaalwacht", "Koorzanger", "Solist", "Virtuoos")
"""The ranks of bots, in the languages that pages have."""
HOUSE: Final = ("ridotto", "host", "admin", "administrator", "moderator", "system", "bot")
"""The words that say somebody speaks for the house."""

_CAPITALS: Final = dict(zip(map(ord, "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧАВЕКМНОРСТУХЅІЈԚԜՕՍ"), "abezhikmnoptyxabekmhopctyxsijqwou", strict=True))
_TABLE: Final = {ord(letter): latin for latin, letters in LOOK_ALIKES for letter in letters.casefold() if letter != latin}


@lru_cache(10_000)
def skeleton(name: str) -> str:
    """The form that names have in common which are taken for one another; "" if nothing of a name is to be seen."""
    text = unicodedata.normalize("NFKC", name[: 4 * LONGEST_NAME])
    letters = [c for c in text if c.isalpha()]
    if any(c < "\u0250" for c in letters) or all(ord(c) in _CAPITALS for c in letters):
        text = text.translate(_CAPITALS)  # a name in Greek or Cyrillic letters has capitals of its own
    text = text.casefold()
    text = "".join(c for c in unicodedata.normalize("NFD", text) if unicodedata.category(c) != "Mn" and c not in INVISIBLE)
    plain = "".join(c for c in text.translate(_TABLE) if c.isalnum())
    for pair, one in PAIRS:
        plain = plain.replace(pair, one)
    marks = "".join(c for c in text if not c.isspace() and unicodedata.category(c) not in ("Cc", "Cs"))
    return (plain or marks)[:LONGEST_SKELETON]


def is_visible(name: str) -> bool:
    """Whether there is anything of a name to be seen.

    >>> is_visible("Ada"), is_visible("\\u3164"), is_visible("\\0"), is_visible("★")
    (True, False, False, True)
    """
    return bool(skeleton(name))


@lru_cache(10_000)
def is_reserved(name: str) -> bool:
    """Whether a name is that of a bot, or of whoever runs the house, or taken for one.

    >>> [name for name in ("Figaro", "F1GARO", "Figaro 2", "Diva Rosina", "Ada, level 3", "Admin", "Rosina del Ridotto")
    ...  if not is_reserved(name)]
    ['Rosina del Ridotto']
    """
    folded = skeleton(name)
    if folded in _HOUSE or _BOT.fullmatch(folded):
        return True
    words = re.findall(r"\w+", unicodedata.normalize("NFKC", name).casefold())
    return any(skeleton(word) in _LEVEL_WORDS and later.isdigit() for word, later in pairwise(words))


_HOUSE: Final = frozenset(map(skeleton, HOUSE))
_LEVEL_WORDS: Final = frozenset(map(skeleton, ("level", "niveau", "bot")))
_STAGE: Final = "|".join(map(skeleton, STAGE_NAMES))
_RANK: Final = "|".join(map(skeleton, (*RANKS, "level", "niveau", "bot")))
_BOT: Final = re.compile(f"(?:{_RANK})*(?:{_STAGE})(?:{_RANK}|[lzso346789])*")


def proposals(name: str) -> Iterator[str]:
    """Names like one that cannot be had, the nearest first. Whoever wants a bot's name is of this house.

    >>> from itertools import islice
    >>> list(islice(proposals("Ada"), 2)), next(proposals("Rosina"))
    (['Ada II', 'Ada III'], 'Rosina del Ridotto')
    """
    longest = " del Ridotto XVIII"
    base = re.sub(r"\s*[(\[,].*", "", name)[: LONGEST_NAME - len(longest)].strip() or "N. N."
    if is_reserved(base):
        base = f"{base} del Ridotto"
        yield base
        if is_reserved(base):
            base = "N. N."
            yield base
    for number in NUMERALS:
        yield f"{base} {number}"


NUMERALS: Final = (
    *("II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV", "XV", "XVI", "XVII", "XVIII"),
)
