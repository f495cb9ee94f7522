"""Writes the worked round of Opera into its rulebooks, from a match that is played: `make rounds`.

Chapter §12 tells a round phase by phase: some sentences by hand, then a list that is made here. The first list is the
position, the others what the log says of each decision, with its notation, in the language of the book. A test holds the
books to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from ridotto.core.match import Match
from ridotto.games.opera import game
from ridotto.games.opera.ui.figures import ROUND
from ridotto.present import views
from ridotto.present.lesson import prepared
from ridotto.present.narrator import LANGUAGES, opening
from ridotto.present.ui import ui

CHAPTER = re.compile(r"^## §12 .*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
LIST = re.compile(r"(?:^- .*\n)+", re.MULTILINE)
PHASES = (("3",), ("4", "5"), ("6",), ("7",), ("8",))
"""The chapters of the events of each phase."""


class Terms(NamedTuple):
    """What the position is told with."""

    seat: str
    screen: str
    house: str
    ladder: str


TERMS = {
    "en": Terms(
        "level {level}, {ducats} ducats, {points} points", "behind the screen", "the house piece", "Fame from 6 down to 1"
    ),
    "fr": Terms(
        "niveau {level}, {ducats} ducats, {points} points", "derrière le paravent", "l'œuvre maison", "La renommée, de 6 à 1"
    ),
    "nl": Terms(
        "niveau {level}, {ducats} dukaten, {points} punten", "achter het scherm", "het huisstuk", "De roem, van 6 naar 1"
    ),
}


def lists(language: str) -> list[str]:
    """The position, and then the round: a list for each phase."""
    match = prepared(game, replace(ROUND, played=()))
    phases: list[list[str]] = [list(position(match, language)), *([] for _ in PHASES)]
    silent: list[str] = []
    for at, move in enumerate(ROUND.played):
        seat, _, do = move.partition(": ")
        told = list(play(match, int(seat), do, language))
        # Bids are told when all are in; a decision that the log passes over stands with the next one of its seat, or the last.
        silent += [] if do.startswith("bid") else [f"`{do}`"]
        if not told and silent and not ROUND.played[at + 1].startswith(f"{seat}: "):
            phases[-len(PHASES) + 1][-1] += " " + silent.pop()
        for phase in range(len(PHASES)):
            if sentences := [text for number, text in told if number == phase]:
                if phase < 2:
                    phases[phase + 1] += [" ".join([*sentences, *silent])] if phase else sentences
                    silent = []
                else:
                    phases[phase + 1] += sentences
    return ["".join(f"- {line}\n" for line in lines) for lines in phases]


def position(match: Match, language: str) -> Iterator[str]:
    """What everybody has, and the fame ladder."""
    words, terms, fields = ui(game).words(ui(game).narrator(language)), TERMS[language], match.position()
    colon, semicolon = ("\u00a0:", "\u00a0; ") if language == "fr" else (":", "; ")

    def piece(name: str) -> str:
        return terms.house if name == "house" else name.capitalize()

    for seat in range(match.seats):
        at = str(seat)
        numbers: dict[str, Any] = {key: fields[key][at] for key in ("level", "ducats", "points")}
        houses = []
        for city, great in fields["great"][at].items():
            if fields["halls"][at][city]:
                pieces = [*([great] if great else []), *fields["side"][at][city]]
                houses.append(f"{city.capitalize()}{colon} {', '.join(map(piece, pieces))}")
        hidden = [name for name, number in fields["screen"][at].items() for _ in range(number)]
        houses += [f"{terms.screen}{colon} {', '.join(map(piece, hidden))}"] if hidden else []
        who = opening(ui(game).role(seat, words))
        yield f"{who}{colon} {terms.seat.format(**numbers)}. {semicolon.join(houses)}."
    fame = sorted(fields["fame"], key=lambda name: -fields["fame"][name])
    yield f"{terms.ladder}{colon} {', '.join(map(str.capitalize, fame))}."


def play(match: Match, seat: int, do: str, language: str) -> Iterator[tuple[int, str]]:
    """Play a decision: what the log says of it, each sentence with its phase."""
    match.play(do, seat)
    phase = 0
    for event in views.events(match.view(since=match.ply - 1), ui(game).words(ui(game).narrator(language))):
        chapter = event["section"].split(".")[0]
        phase = max(phase, next(number for number, chapters in enumerate(PHASES) if chapter in chapters))
        yield phase, event["text"]


def written(language: str) -> str:
    """A rulebook with the lists of its worked round made anew."""
    text = game.rulebook(language).read_text("utf-8")
    chapter = CHAPTER.search(text)
    assert chapter is not None, "there is no §12"
    made = iter(lists(language))
    return text[: chapter.start()] + LIST.sub(lambda _: next(made), chapter[0]) + text[chapter.end() :]


if __name__ == "__main__":
    for name in LANGUAGES:
        game.rulebook(name).write_text(written(name), "utf-8")
