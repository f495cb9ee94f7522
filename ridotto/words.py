"""Words in three languages: gettext catalogues, and the language that is being spoken.

Sentences stand in the games' own ``words.py``, in English; the catalogues under ``locale/`` hold French and Dutch.

>>> with language("fr"):
...     listed(["un", "deux", "trois"])
'un, deux et trois'
"""

from __future__ import annotations

import gettext
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Final

from ridotto.kernel import RidottoError

LANGUAGES: Final = {"en": "English", "fr": "Français", "nl": "Nederlands"}
LOCALE: Final = Path(__file__).with_name("locale")

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
