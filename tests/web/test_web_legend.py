"""The legend: every mark that a board shows is explained one touch away, drawn as it is on the board."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.present.narrator import LANGUAGES
from ridotto.present.scene import Scene
from ridotto.present.ui import ui
from ridotto.web.pages.assets import script
from ridotto.web.pages.legend import legend

games = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: str(game.name))

PLAIN = {
    "fantome": {
        "asked",  # a card with buttons on it
        "covered",
        "eligible",  # may be chosen: a mark of every board
    },
    "opera": {"inside"},  # where a piece lies
}
"""Classes of items that are no marks."""


def scenes(game: Game) -> Iterator[Scene]:
    """What everybody at random tables sees, now and then, and at the end."""
    for seed in range(6):
        dice = random.Random(seed)
        match = Match(game, game.seats[seed % len(game.seats)], seed=seed)
        while match.to_act:
            if dice.random() < 0.2:
                yield from seen(match)
            seat = dice.choice(match.to_act)
            match.play(dice.choice(match.legal(seat).ids), seat)
        yield from seen(match)


def seen(match: Match) -> Iterator[Scene]:
    for seat in (None, *range(match.seats)):
        words = ui(match.game).words(ui(match.game).narrator("en", reader=seat))
        yield ui(match.game).scene(match.view(seat), words)


def classes(drawn: str) -> set[str]:
    """The classes of everything in a drawing."""
    return {name for found in re.findall(r'class="([^"]*)"', drawn) for name in found.split()}


@games
def test_every_state_of_a_thing_is_explained(game: Game) -> None:
    """Whatever state a thing on the board is in is drawn in the legend; and nothing is drawn there that no board has."""
    of_all, own = legend(game, "en")
    explained = classes("".join(line.drawn for line in (*of_all, *own)))
    states, looks = set[str](), set[str]()
    for scene in scenes(game):
        for item in scene.items.values():
            states |= set(item.cls.split())
            looks |= classes(item.look) | set(item.cls.split())
    assert states - PLAIN.get(game.name, set()) <= explained
    if own:
        words = ui(game).words(ui(game).narrator("en"))
        drawn = classes("".join(sign.look for sign in ui(game).page.legend(words)))
        assert drawn - looks <= {"can"}, "the legend draws what is on no board"


@games
def test_what_comes_and_goes_is_drawn_nowhere_else(game: Game) -> None:
    """A class that a script gives to things for a while is none that a drawing has: its style would draw over their letters."""
    found = re.search(r"const PASSING = \[(.*?)\];", script("board.js"))
    assert found is not None
    passing = set(re.findall(r'"([\w-]+)"', found[1]))
    assert {"moved", "chosen"} <= passing
    drawn = {name for scene in scenes(game) for item in scene.items.values() for name in classes(item.look)}
    assert not passing & drawn


@games
def test_it_is_said_in_every_language(game: Game) -> None:
    """Each mark has its own sentence, and as many in each language."""
    english, *others = ([line.text for lines in legend(game, language) for line in lines] for language in LANGUAGES)
    for texts in (english, *others):
        assert len(texts) == len(set(texts)) == len(english)
        assert all(text[0].isupper() and text[-1] == "." for text in texts)
    for texts in others:
        assert not {text for text in english if " " in text} & set(texts)
