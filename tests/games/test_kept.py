"""What a game keeps of its drawings depends on nothing but what it is kept by, whoever else is shown something."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import pytest

from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.core.view import View
from ridotto.games import GAMES
from ridotto.present import kit
from ridotto.present.ui import english, ui
from ridotto.present.words import Words

NAMES = ("Ada", "Bo", "Cleo", "Dora", "Enzo")


def views(game: Game) -> Iterator[tuple[View, Words]]:
    """What every seat sees now and then of matches at which others sit, at one table after the other."""
    dice = random.Random(5)
    tables = [(Match(game, seats, seed=seed), NAMES[seed:] + NAMES[:seed]) for seed, seats in enumerate(game.seats[-2:])]
    for turn in range(60):
        for match, names in tables:
            for seat in match.to_act[:1]:
                match.play(dice.choice(list(match.legal(seat))), seat)
            if turn % 12 == 11:
                for reader in (None, *range(match.seats)):
                    yield match.view(reader), ui(game).words(ui(game).narrator("en", names[: match.seats], reader))


def drawn(view: View, words: Words) -> list[Any]:
    """What a page shows of a view, as far as a game draws it."""
    game = view.game
    scene = ui(game).scene(view, words)
    answers = ui(game).page.answers(view, words) if view.legal else None
    latest = [one for one in view.seen if one.ply == view.ply - 1]
    return [
        list(scene.panels.values()),
        list(scene.items.values()),
        answers,
        list(words.standings(view.row)),
        list(ui(game).stage.moments(view, words, latest)),
    ]


def forget(game: Game) -> None:
    """Forget everything that was drawn, and everything that the modules of a game have kept."""
    kit.forget()
    modules = vars(ui(game).picture), type(ui(game).page).answers.__globals__, type(ui(game).stage).moments.__globals__
    for names in (*modules, type(english(game)).sentence.__globals__):
        for thing in names.values():
            clear = getattr(thing, "cache_clear", None)
            if clear is not None and callable(thing):
                clear()


def stale(game: Game) -> list[str]:
    """Where a drawing depended on what had been drawn before."""
    shown = [(view, words, drawn(view, words)) for view, words in views(game)]
    found = []
    for view, words, before in shown:
        forget(game)
        fresh = drawn(view, words)
        found += [f"part {at} for {view.seat}" for at, part in enumerate(fresh) if part != before[at]]
    return found


@pytest.mark.parametrize("name", ["fantome", "opera", "turandot"])
def test_what_is_kept_is_kept_by_all_that_it_depends_on(name: str) -> None:
    """A view is drawn in the same way after many others, and when nothing has been drawn before."""
    assert [] == stale(GAMES[name])


@pytest.mark.parametrize("name", ["fantome", "opera", "turandot"])
def test_panels_have_no_cache_of_their_own(name: str) -> None:
    """What they draw is cached by the kit."""
    files = (GAMES[name].folder / "ui" / "picture").glob("*.py")
    assert [] == [path.name for path in files if "functools" in path.read_text("utf-8")]


def test_a_key_that_is_too_short_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """If cards to lay were kept without the cards that lie there, others' cards would be shown."""
    names = type(ui(GAMES["turandot"]).page).answers.__globals__
    original: Callable[..., Any] = names["_picker"].__wrapped__
    offers: list[Any] = []

    @lru_cache
    def forgetful(words: Words, legal: tuple[int, ...]) -> Any:
        return original(words, legal, offers[-1])

    def picker(words: Words, legal: tuple[int, ...], offer: tuple[int, ...]) -> Any:
        offers.append(offer)
        return forgetful(words, legal)

    picker.cache_clear = forgetful.cache_clear  # type: ignore[attr-defined]
    monkeypatch.setitem(names, "_picker", picker)
    assert any("part 2" in line for line in stale(GAMES["turandot"]))
