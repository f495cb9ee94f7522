"""The narrator: makes sentences for one reader, in their language, with the names of those at the table.

Sentences stand in the games' own ``ui/words.py`` and in the templates of the pages, in English; the catalogues (gettext) under
``locale/`` hold French and Dutch, the general ones in this package, a game's own in its folder.

>>> french = Narrator("fr")
>>> french.listed(["un", "deux", "trois"])
'un, deux et trois'
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from gettext import NullTranslations, translation
from pathlib import Path
from typing import Final

from ridotto.engine.errors import RidottoError
from ridotto.engine.errors import mark as mark  # for modules that make sentences
from ridotto.engine.fields import Seat

LANGUAGES: Final = {"en": "English", "fr": "Français", "nl": "Nederlands"}
LOCALE: Final = Path(__file__).parents[1] / "locale"
DOMAIN: Final = "ridotto"
LONGEST_NAME: Final = 40


class UnknownLanguage(RidottoError, LookupError):
    """A language that Ridotto does not speak."""


def opening(text: str) -> str:
    """A text with a capital letter, for the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def percent(number: object) -> str:
    """A percentage for a sentence; no line breaks before its sign.

    >>> percent(15)
    '15\\xa0%'
    """
    return f"{number}\N{NO-BREAK SPACE}%"


def distinct(name: str, names: Sequence[str]) -> str:
    """The shortest beginning of a name that tells it from the others.

    >>> [distinct(name, ("Rood", "Geel", "Groen")) for name in ("Rood", "Geel", "Groen")]
    ['R', 'Ge', 'Gr']
    """
    others = [other for other in names if other != name]
    size = 1
    while size < len(name) and any(other.startswith(name[:size]) for other in others):
        size += 1
    return name[:size]


@dataclass(frozen=True)
class Narrator:
    """Makes sentences for one reader: in a language, with the names of the players, and with "you" for the reader's own seat.

    >>> narrator = Narrator("en", ("Ada", "", "Ada"), reader=1)
    >>> [narrator.name(seat, f"player {seat}") for seat in range(3)]
    ['Ada (player 0)', 'player 1', 'Ada (player 2)']
    >>> narrator.tell(1, "You pass.", "{who} passes.", who="Bo"), narrator.tell(0, "You pass.", "{who} passes.", who="Ada")
    ('You pass.', 'Ada passes.')
    """

    language: str = "en"
    names: tuple[str, ...] = ()
    """The name of each seat's player; "" for a player without a name, who is called what the game calls the seat."""
    reader: Seat | None = None
    """The seat that reads the sentences; None for a spectator."""
    locales: tuple[Path, ...] = (LOCALE,)
    """Folders of catalogues; the first that has a message translates it."""
    late: frozenset[Seat] = frozenset()
    """The seats whose players have left because their time was up. A match knows no clocks: to it, they have resigned."""

    def __post_init__(self) -> None:
        if self.language not in LANGUAGES:
            raise UnknownLanguage(f"unknown language {self.language!r}; there are: {', '.join(LANGUAGES)}")
        object.__setattr__(self, "names", tuple(clean_name(name) for name in self.names))

    def __hash__(self) -> int:
        return self._hash  # it is a key of many caches

    @cached_property
    def _hash(self) -> int:
        return hash((self.language, self.names, self.reader, self.locales, self.late))

    def say(self, message: str, **values: object) -> str:
        """A message in the reader's language, with its gaps filled."""
        return self.gettext(message).format(**values)

    def count(self, one: str, many: str, number: int, **values: object) -> str:
        """A message in the singular or plural form for a number, which fills the gap `{number}`.

        >>> [Narrator().count("{number} match", "{number} matches", n) for n in (1, 2)]
        ['1 match', '2 matches']
        """
        return self.ngettext(one, many, abs(number)).format(number=number, **values)

    def gettext(self, message: str) -> str:
        """A message in the reader's language, from the catalogue."""
        return self._messages.gettext(message)

    def ngettext(self, one: str, many: str, number: int) -> str:
        """A message in the singular or plural form for a number, from the catalogue."""
        return self._messages.ngettext(one, many, number)

    @cached_property
    def _messages(self) -> NullTranslations:
        return _catalogue(self.language, self.locales)

    def tell(self, seat: Seat, you: str, they: str, **values: object) -> str:
        """A sentence about a seat: the message `you` if the seat is the reader's, otherwise the message `they`."""
        message = you if self.is_reader(seat) else they
        return self.say(message, **values)

    def is_reader(self, seat: Seat) -> bool:
        """Whether a seat is the reader's."""
        return self.reader is not None and seat == self.reader

    def listed(self, items: Sequence[str]) -> str:
        """Items as a phrase: "a, b and c"."""
        if len(items) < 2:
            return "".join(items)
        return self.say("{first} and {last}", first=", ".join(items[:-1]), last=items[-1])

    def name(self, seat: Seat, otherwise: str) -> str:
        """The name of a seat's player; `otherwise` if there is none, and added to a name that two players have."""
        name = self.names[seat] if 0 <= seat < len(self.names) else ""
        if not name:
            return otherwise
        return f"{name} ({otherwise})" if self.names.count(name) > 1 else name

    def initial(self, seat: Seat, otherwise: Sequence[str]) -> str:
        """The letter on a player's mark; of `otherwise`, which are distinct, for a player without a name, or if a letter is not
        unique.

        >>> [Narrator(names=("Ada", "bo", "Al")).initial(seat, "012") for seat in range(3)]
        ['0', 'B', '2']
        >>> [Narrator(names=("", "Rosina", "Bo")).initial(seat, ("R", "G", "J")) for seat in range(3)]
        ['R', 'G', 'B']
        """
        names = [*(name[:1].upper() for name in self.names), *[""] * len(otherwise)][: len(otherwise)]
        marks = [
            name if name.isalnum() and names.count(name) == 1 else other for name, other in zip(names, otherwise, strict=True)
        ]
        while len(set(marks)) < len(marks):
            marks = [mark if marks.count(mark) == 1 else other for mark, other in zip(marks, otherwise, strict=True)]
        return marks[seat]

    def rank(self, bot: str) -> str:
        """The display name of a kind of bot.

        >>> Narrator().rank("level:2"), Narrator().rank("search:100")
        ('Chorister, level 2', 'search:100')
        """
        kind, _, level = bot.rpartition(":")
        if kind.endswith("level") and level in map(str, range(1, len(LEVELS) + 1)):
            return self.say("{rank}, level {level}", rank=self.say(LEVELS[int(level) - 1]), level=level)
        return bot


@cache
def _catalogue(language: str, locales: tuple[Path, ...]) -> NullTranslations:
    """The messages of one language, from several folders."""
    catalogues = [translation(DOMAIN, folder, [language], fallback=True) for folder in locales] if language != "en" else []
    first = catalogues[0] if catalogues else NullTranslations()
    for other in catalogues[1:]:
        first.add_fallback(other)
    return first


# Names.


def clean_name(text: str) -> str:
    """A name as it may be shown: one line, nothing invisible, not too long.

    >>> clean_name("  Enrico \\n \\u202e Caruso ")
    'Enrico Caruso'
    """
    return _clean(text[: 10 * LONGEST_NAME])


@lru_cache(10_000)
def _clean(text: str) -> str:
    visible = "".join(c if unicodedata.category(c)[0] not in "CZ" else " " if c.isspace() else "" for c in text)
    return " ".join(unicodedata.normalize("NFC", visible).split())[:LONGEST_NAME].rstrip()


# Bots have a name from the opera, and a rank for their level.

STAGE_NAMES: Final = ("Figaro", "Rosina", "Papageno", "Despina", "Leporello", "Musetta")
LEVELS: Final = (mark("Usher"), mark("Chorister"), mark("Soloist"), mark("Virtuoso"), mark("Diva"), mark("Maestro"))
"""The rank of the bots of each level, from the weakest to the strongest."""


def stage_name(seat: Seat) -> str:
    """The name of a bot at a seat.

    >>> stage_name(0), stage_name(2)
    ('Figaro', 'Papageno')
    """
    return STAGE_NAMES[seat % len(STAGE_NAMES)]
