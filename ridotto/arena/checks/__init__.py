"""Checks of a game for its author: files, declarations, rulebooks, random play, words and secrets.

Every line says in plain words what is wrong and where. A *fault* keeps a game from being played as it should; a *note* names an
optional part that is missing, and its consequence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ridotto.arena.checks.random_play import compiled, play
from ridotto.arena.checks.report import Line, Part, describe
from ridotto.arena.checks.secrecy import choices, secrets
from ridotto.arena.checks.structure import declarations, files, rulebooks
from ridotto.arena.checks.words import languages, lessons, sentences
from ridotto.core.game import Game


def check(game: Game, *, quick: bool = False) -> Iterator[Line]:
    """All findings about a game; with `quick`, without compiling its rules."""
    parts: list[Part] = [files, declarations, rulebooks]
    if not quick:
        parts.append(compiled)
    faulty: set[str] = set()
    for name, part in ((part.__name__, part) for part in (*parts, play, choices, sentences, languages, lessons, secrets)):
        try:
            for line in part(game):
                if line.kind == "fault":
                    faulty.add(name)
                yield line
        except Exception as error:  # The code of a game may fail in any way.
            yield Line("fault", name, describe(error, game))
            faulty.add(name)
        if "files" in faulty or "play" in faulty:
            yield Line("note", name, "mend this first: what comes after it was not looked at")
            return


def summary(game: Game, lines: Sequence[Line]) -> str:
    """The last line of a report."""
    faults, notes = (sum(line.kind == kind for line in lines) for kind in ("fault", "note"))
    noted = f", notes: {notes}" if notes else ""
    return f"{game.name}: faults: {faults}{noted}" if faults else f"{game.name} can be played{noted}"
