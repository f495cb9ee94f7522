"""The boards of games: every panel has its place and its size through a whole match, and its texts can be read."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Any
from xml.etree import ElementTree

import pytest

from ridotto.core.match import Match
from ridotto.core.view import View
from ridotto.games import GAMES
from ridotto.present.composition import Composition
from ridotto.present.svg import Panel
from ridotto.present.ui import ui

TABLES = [("fantome", 2), *(("turandot", seats) for seats in (2, 3, 4, 5))]
WINDOWS = ("large", "small", "phone")
ALWAYS = {
    "fantome": {"house", "track", "cards", "deduction", "alibis", "notebook"},
    "turandot": {"directors", "troupes-1", "troupes-2"},
}
"""What is in sight at every question, whoever looks."""
ROOM = {"large": (957, 650), "small": (708, 698), "phone": (370, 10_000)}
"""The room of the board in pixels: on 1280 x 720 and 1024 x 768 beside the column, and on a phone of 390."""


def views(name: str, seats: int, seed: int) -> Iterator[View]:
    """The views of a random match, by turns of those who decide, of others, and of a spectator."""
    match, dice = Match(GAMES[name], seats, seed=seed), random.Random(seed)
    while match.to_act:
        yield match.view(dice.choice([*match.to_act, *range(seats), None]))
        seat = dice.choice(match.to_act)
        match.play(dice.choice(match.legal(seat)), seat)
    yield from (match.view(0), match.view(None))


def panels_of(view: View, language: str = "en") -> list[Panel]:
    return ui(view.game).panels(view, ui(view.game).words(ui(view.game).narrator(language)))


def composed(view: View) -> dict[str, Composition]:
    found = ui(view.game).page.compositions(view)
    assert found is not None
    return found._asdict()


def panels_without_drawings(view: View) -> list[Panel]:
    return list(ui(view.game).scene(view, ui(view.game).english).panels.values())


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_panel_keeps_its_size_and_its_place(name: str, seats: int) -> None:
    """Through three matches, whatever is asked; once the auditions are over there is another board, which stays as well."""
    sizes: dict[str, set[tuple[int, int]]] = {}
    boards: dict[tuple[str, bool, str], set[Any]] = {}
    for seed in range(3):
        for view in views(name, seats, seed):
            phase = view.position["asked"] if name == "turandot" else ""
            phase = phase if phase in ("cast", "nothing") else ""
            for panel in panels_without_drawings(view):
                sizes.setdefault(panel.name, set()).add((panel.width, panel.height))
            for window, one in composed(view).items():
                is_phantom = name == "fantome" and "secret" in one.places
                places = frozenset((panel, place) for panel, place in one.places.items())
                boards.setdefault((phase, is_phantom, window), set()).add((one.wide, one.tall, places))
    assert {1} == {len(found) for found in sizes.values()}, sizes
    assert {1} == {len(found) for found in boards.values()}


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_every_panel_has_a_place_of_its_shape(name: str, seats: int) -> None:
    """In all windows: each panel but a mask that hides nothing is placed, none lies on another one or beyond the canvas."""
    for view in views(name, seats, 4):
        shapes = {panel.name: panel.width / panel.height for panel in panels_without_drawings(view)}
        expected = ALWAYS[name] | ({"hand"} if name == "turandot" and view.seat is not None and "hand" in shapes else set())
        for window, one in composed(view).items():
            assert expected <= one.places.keys()
            left_out = (
                {"masked"}
                if "secret" in shapes
                else {"standing", "audition"}
                if "stage" in shapes and window == "small"
                else set()
            )
            assert set(shapes) - one.places.keys() <= left_out, window
            for panel in shapes.keys() & one.places.keys():
                x, y, wide, tall = one.places[panel]
                assert wide / tall == pytest.approx(shapes[panel], rel=0.01), (window, panel)
                assert -0.5 <= x <= x + wide <= one.wide + 0.5 and -0.5 <= y <= y + tall <= one.tall + 1, (window, panel)
            for (_, a), (_, b) in combinations(one.places.items(), 2):
                assert (
                    a.x + a.wide <= b.x + 0.5
                    or b.x + b.wide <= a.x + 0.5
                    or a.y + a.tall <= b.y + 0.5
                    or b.y + b.tall <= a.y + 0.5
                )


def test_the_house_is_the_largest() -> None:
    """At least half of the board, and 700 pixels of a window of 1440, where a board is 1,102 wide."""
    for window, one in composed(next(views("fantome", 2, 1))).items():
        largest = max(one.places.values(), key=lambda place: place.wide * place.tall)
        assert window == "phone" or one.places["house"] == largest
        assert one.places["house"].wide >= one.wide / 2
        assert window != "large" or one.places["house"].wide / one.wide * 1102 >= 700


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_singers_are_the_largest(seats: int) -> None:
    """Of all cards; and the board is as wide as the canvas, with no lower third that is empty."""
    one = composed(next(views("turandot", seats, 1)))["large"]
    singers = one.places["singers-1"]
    assert singers.wide / 3 >= max(place.wide / 7 for panel, place in one.places.items() if panel.startswith("troupes")) * 2
    assert sum(place.wide * place.tall for place in one.places.values()) >= 0.85 * one.wide * one.tall


def texts(element: ElementTree.Element, scale: float = 1) -> Iterator[tuple[float, str]]:
    """The texts of a panel with their sizes in its units."""
    if moved := re.search(r"scale\(([\d.]+)", element.get("transform", "")):
        scale *= float(moved[1])
    if element.tag == "text" and (element.text or "").strip():
        yield float(element.get("font-size", "0")) * scale, element.text or ""
    for child in element:
        yield from texts(child, scale)


@pytest.mark.parametrize("language", ["fr", "nl"])
@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_texts_can_be_read(name: str, seats: int, language: str) -> None:
    """On the smallest window of each board nearly all are 12 pixels high; hardly any, fitted into its room, is below 10.6."""
    sizes: dict[str, Counter[int]] = {window: Counter() for window in WINDOWS}
    for number, view in enumerate(views(name, seats, 2)):
        if number % 9 and view.outcome is None:
            continue
        boards = composed(view)
        for panel in panels_of(view, language):
            found = [size for size, _ in texts(ElementTree.fromstring(f"<svg>{panel.body}</svg>"))]
            for window, one in boards.items():
                if place := one.places.get(panel.name):
                    wide, tall = ROOM[window]
                    scale = place.wide / panel.width * min(wide / one.wide, tall / one.tall)
                    sizes[window].update(round(10 * size * scale) for size in found)
    for window, counted in sizes.items():
        total = counted.total()
        least = {"large": 0.97, "small": 0.7, "phone": 0.8}[window]
        assert sum(count for size, count in counted.items() if size >= 119) >= least * total, (window, sorted(counted.items()))
        assert sum(count for size, count in counted.items() if size < 106) <= 0.05 * total, (window, sorted(counted.items()))
