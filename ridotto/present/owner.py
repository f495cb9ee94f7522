"""Questions to the owner of a printed game about its box, and the box as a file.

Where no source tells what is in a box, ours is a reconstruction. A game's ``ui/owner.py`` lists those things as questions, in
sections; each question points at one value of the box, which is shown as a text and read back from one. The command
`ridotto box` and the page `/box/GAME` ask them, and write what comes out with `to_toml`.

>>> section = Section("Places", "", (Question("Places in {city}", ("cities", 0, "standing"), number(1, 2), {"city": "Wien"}),))
>>> box = {"cities": [{"name": "wien", "standing": 2}]}
>>> section.questions[0].shown(box)
'2'
>>> section.questions[0].answer(box, "1")
>>> print(to_toml(box, "my copy"), end="")
box_name = "my copy"
<BLANKLINE>
[[cities]]
name = "wien"
standing = 1
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from ridotto.core.errors import BadAnswer
from ridotto.core.game import Game
from ridotto.engine.errors import BoxFault
from ridotto.present.narrator import Narrator, mark

LONGEST: Final = 1000
"""Characters of an answer."""


@dataclass(frozen=True)
class Form:
    """The form of the answer to a question."""

    help: str
    """The instruction for typing, in English; the catalogues have the other languages."""
    show: Callable[[Any], str]
    read: Callable[[str, Any], Any]
    """The value that a text stands for, given the value before; raises ValueError if it stands for none."""
    example: str = ""
    """An answer as it is typed, the same in every language."""

    def said(self, narrator: Narrator) -> str:
        """The instruction for typing, in the reader's language."""
        text = narrator.say(self.help)
        return narrator.say("{help}, for example {example}", help=text, example=self.example) if self.example else text


def number(low: int, high: int) -> Form:
    """A whole number."""

    def read(text: str, _: Any) -> int:
        value = int(text)
        if not low <= value <= high:
            raise ValueError(text)
        return value

    return Form(mark("a whole number"), str, read)


TEXT: Final = Form(mark("a text, or - for none"), lambda value: value or "-", lambda text, _: "" if text == "-" else text)


@dataclass(frozen=True)
class Question:
    """One thing of a box that its owner can look up."""

    text: str
    """The question, in English, with gaps for `values`."""
    path: tuple[str | int, ...]
    """The way to it through the box."""
    form: Form
    values: Mapping[str, object] = field(default_factory=dict)

    def said(self, narrator: Narrator) -> str:
        """The question, in the reader's language."""
        values = {name: narrator.say(value) if isinstance(value, str) else value for name, value in self.values.items()}
        return narrator.say(self.text, **values)

    def shown(self, box: Mapping[str, Any]) -> str:
        """The value in the box, as a text."""
        return self.form.show(self._inner(box)[self.path[-1]])

    def answer(self, box: dict[str, Any], text: str) -> None:
        """Put an answer into the box; the present text changes nothing. Raises BadAnswer if it cannot be read."""
        text = " ".join(text.split())
        if text == " ".join(self.shown(box).split()):
            return
        inner = self._inner(box)
        try:
            if len(text) > LONGEST or not text.isprintable():
                raise ValueError(text)
            inner[self.path[-1]] = self.form.read(text, inner[self.path[-1]])
        except (ValueError, LookupError) as error:
            raise BadAnswer(f"{text[:60]!r} cannot be read: {self.form.said(Narrator())}") from error

    def _inner(self, box: Mapping[str, Any]) -> Any:
        inner: Any = box
        for key in self.path[:-1]:
            inner = inner[key]
        return inner


@dataclass(frozen=True)
class Section:
    """Questions about one part of a box."""

    title: str
    explanation: str
    """The place in the printed game, in English."""
    questions: tuple[Question, ...]


class Owner(Protocol):
    """`ui/owner.py`: what an owner of the printed game is asked."""

    SECTIONS: tuple[Section, ...]

    def faults_of(self, data: dict[str, Any]) -> list[BoxFault]:
        """Everything that keeps a box from being played with the rules."""


def owner(game: Game) -> Owner | None:
    """The questions to an owner of a game; None if nothing in its box was reconstructed."""
    module: Owner | None = game.build().module("ui.owner")
    return module


def box_of(game: Game) -> dict[str, Any]:
    """A copy of the box that a game is played with."""
    copy: dict[str, Any] = json.loads(json.dumps(game.build().components.BOX))
    return copy


# A box as a file.


def to_toml(box: Mapping[str, Any], name: str = "") -> str:
    """A box as the text of a file for `--box`."""
    plain = {"box_name": name} if name else {}
    plain |= {key: value for key, value in box.items() if not _is_table(value) and not _are_tables(value)}
    parts = ["".join(f"{_key(key)} = {_value(value)}\n" for key, value in plain.items())]
    for key, value in box.items():
        if _is_table(value):
            parts.append(f"[{_key(key)}]\n" + _lines(value))
        elif _are_tables(value):
            parts += [f"[[{_key(key)}]]\n" + _lines(one) for one in value]
    return "\n".join(part for part in parts if part)


def _is_table(value: Any) -> bool:
    return isinstance(value, dict)


def _are_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, dict) for one in value)


def _lines(table: Mapping[str, Any]) -> str:
    return "".join(f"{_key(key)} = {_value(value)}\n" for key, value in table.items())


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key, ensure_ascii=False)


def _value(value: Any) -> str:
    """A value on one line; a list of tables has a line for each of them."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(key)} = {_value(one)}" for key, one in value.items()) + " }"
    if _are_tables(value):
        return "[\n" + "".join(f"    {_value(one)},\n" for one in value) + "]"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
