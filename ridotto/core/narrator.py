"""Words in three languages: gettext catalogues, and the language that is being spoken.

Sentences stand in the games' own ``words.py``, in English; the catalogues under ``locale/`` hold French and Dutch.

>>> with language("fr"):
...     listed(["un", "deux", "trois"])
'un, deux et trois'
"""

from __future__ import annotations

import gettext
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import Seat

LANGUAGES: Final = {"en": "English", "fr": "Français", "nl": "Nederlands"}
LOCALE: Final = Path(__file__).parents[1] / "locale"
LONGEST_NAME: Final = 40

_seated: ContextVar[tuple[str, ...]] = ContextVar("seated", default=())
_spoken: ContextVar[str] = ContextVar("spoken", default="en")


class UnknownLanguage(RidottoError, LookupError):
    """A language that Ridotto does not speak."""


@cache
def _catalogue(name: str) -> gettext.NullTranslations:
    if name == "en":
        return gettext.NullTranslations()
    return gettext.translation("ridotto", LOCALE, [name])


@contextmanager
def language(name: str) -> Iterator[None]:
    """Speak a language while the block runs."""
    if name not in LANGUAGES:
        raise UnknownLanguage(f"unknown language {name!r}; there are: {', '.join(LANGUAGES)}")
    token = _spoken.set(name)
    try:
        yield
    finally:
        _spoken.reset(token)


def spoken() -> str:
    """The language being spoken."""
    return _spoken.get()


def say(message: str, **values: object) -> str:
    """A message in the language being spoken, with its gaps filled."""
    return _catalogue(_spoken.get()).gettext(message).format(**values)


def mark(message: str) -> str:
    """A message to be translated later: tells the extractor about it."""
    return message


def listed(items: Sequence[str]) -> str:
    """Items as a phrase: "a, b and c"."""
    if len(items) < 2:
        return "".join(items)
    return say("{first} and {last}", first=", ".join(items[:-1]), last=items[-1])


# Who sits where. Games call a seat by what it is, unless a table has said who sits there.


@contextmanager
def seated(names: Sequence[str]) -> Iterator[None]:
    """Call the seats by these names while the block runs; where one is "", as the game calls it.

    >>> with seated(["Ada", "", "Ada"]):
    ...     [called(seat, f"seat {seat}") for seat in range(3)]
    ['Ada (seat 0)', 'seat 1', 'Ada (seat 2)']
    """
    token = _seated.set(tuple(clean_name(name) for name in names))
    try:
        yield
    finally:
        _seated.reset(token)


def called(seat: Seat, otherwise: str) -> str:
    """Whoever sits there, by name; without one, `otherwise`. Two of one name are told apart by it."""
    names = _seated.get()
    name = names[seat] if 0 <= seat < len(names) else ""
    if not name:
        return otherwise
    return f"{name} ({otherwise})" if names.count(name) > 1 else name


def initial(seat: Seat, otherwise: str) -> str:
    """The letter on the mark of whoever sits there; `otherwise` without a name, or where two begin alike.

    >>> with seated(["Ada", "bo", "Al"]):
    ...     [initial(seat, str(seat)) for seat in range(3)]
    ['0', 'B', '2']
    """
    letters = [name[:1].upper() for name in _seated.get()]
    letter = letters[seat] if 0 <= seat < len(letters) else ""
    return letter if letters.count(letter) == 1 and letter.isalnum() else otherwise


def clean_name(text: str) -> str:
    """A name as it may be shown: one line, nothing invisible, not too long.

    >>> clean_name("  Enrico \\n \\u202e Caruso ")
    'Enrico Caruso'
    """
    visible = "".join(c if unicodedata.category(c)[0] not in "CZ" else " " if c.isspace() else "" for c in text)
    return " ".join(unicodedata.normalize("NFC", visible).split())[:LONGEST_NAME].rstrip()


# Who is counted besides the seats.


class Rival(NamedTuple):
    """Somebody without a seat whose points count."""

    name: str
    parts: dict[str, int]
    score: int


def rivals(words: Any, row: Sequence[int]) -> list[Rival]:
    """Everybody without a seat whose points count at the end, as the words of a game tell it."""
    found: list[Rival] = words.rivals(row) if hasattr(words, "rivals") else []
    return found


# Bots are called by a name from the opera, and by what their level makes them.

STAGE_NAMES: Final = ("Figaro", "Rosina", "Papageno", "Despina", "Leporello")
LEVELS: Final = (mark("Usher"), mark("Chorister"), mark("Soloist"), mark("Virtuoso"), mark("Diva"))
"""What the bots of each level are, from the friendliest to the strongest."""


def stage_name(seat: Seat) -> str:
    """What a bot is called that sits there.

    >>> stage_name(0), stage_name(2)
    ('Figaro', 'Papageno')
    """
    return STAGE_NAMES[seat % len(STAGE_NAMES)]


def rank(bot: str) -> str:
    """What people call a kind of bot.

    >>> rank("level:2"), rank("search:100")
    ('Chorister, level 2', 'search:100')
    """
    kind, _, level = bot.rpartition(":")
    if kind.endswith("level") and level in ("1", "2", "3", "4", "5"):
        return say("{rank}, level {level}", rank=say(LEVELS[int(level) - 1]), level=level)
    return bot
