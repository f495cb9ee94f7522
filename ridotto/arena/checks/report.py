"""The lines of a report about a game."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from ridotto.core.game import Game
from ridotto.engine.build import folder, not_compiled
from ridotto.engine.errors import RidottoError

Kind = Literal["ok", "note", "fault"]


@dataclass(frozen=True)
class Line:
    """One finding."""

    kind: Kind
    part: str
    text: str


Part = Callable[[Game], Iterator[Line]]


@dataclass
class Findings:
    """The findings in random play: each fault once, with the place where it was met first."""

    part: str
    faults: dict[str, str] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)

    def add(self, text: str, where: str) -> None:
        self.faults.setdefault(text, where)

    def lines(self) -> Iterator[Line]:
        yield from (Line("fault", self.part, f"{text} ({where})") for text, where in self.faults.items())
        yield from (Line("note", self.part, f"{text} ({where})") for text, where in self.notes.items())


def describe(error: Exception, game: Game) -> str:
    """An error as one line, with the last place of its traceback, in the game's own files if possible."""
    if isinstance(error, RidottoError):
        return str(error)
    if why := not_compiled(error):
        return why
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith("<frozen")]
    own = [frame for frame in frames if Path(frame.filename).is_relative_to(folder(game.package))]
    last = (own or frames)[-1:]
    return f"{type(error).__name__}: {error}" + "".join(f" ({Path(one.filename).name}, line {one.lineno})" for one in last)
