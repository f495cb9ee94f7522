"""The composition of every game's board: everything has a place, and keeps it through a match."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from ridotto.core.match import Match
from ridotto.core.view import View
from ridotto.games import GAMES
from ridotto.games.turandot import rules as turandot
from ridotto.present.composition import Composition, Compositions, Place
from ridotto.present.scene import Scene
from ridotto.present.ui import ui

MOVES_BY_RULES = {"opera": 3, "turandot": 3}
"""The arrangements of a match: in Opera three cities are open at first, then five, then six; in Turandot there are auditions,
then roles are cast, then it is over. Elsewhere there is one, and after the end another.
"""


UNPLACED = frozenset({"masked"})
"""In Le Fantôme, whoever knows the phantom sees them in the place of the mask, which then has none and is not shown."""
WHILE_CASTING = frozenset({"audition", "standing"})
"""In Turandot, a small window leaves these out while roles are cast, so that what has to be read is the larger for it."""


def seen(name: str, seats: int) -> Iterator[tuple[View, Scene]]:
    """The views of a random match, for a player, for the next one, and for a spectator."""
    game, dice = GAMES[name], random.Random(name)
    match, words = Match(game, seats, seed=4), ui(game).english
    while True:
        for seat in (0, seats - 1, None) if match.ply % 5 == 0 or not match.to_act else ():
            view = match.view(seat)
            yield view, ui(game).scene(view, words)
        if not match.to_act:
            return
        seat = dice.choice(match.to_act)
        match.play(dice.choice(match.legal(seat)), seat)


def overlap(one: Place, other: Place) -> float:
    wide = min(one.x + one.wide, other.x + other.wide) - max(one.x, other.x)
    tall = min(one.y + one.tall, other.y + other.tall) - max(one.y, other.y)
    return max(0, wide) * max(0, tall)


def left_out(view: View, window: str) -> frozenset[str]:
    """The panels that need no place on a window now."""
    is_casting = view.game is GAMES["turandot"] and view.row[turandot.F.asked] == turandot.CAST
    return UNPLACED | WHILE_CASTING if is_casting and window == "small" else UNPLACED


def faults(scene: Scene, composition: Composition, unplaced: frozenset[str] = UNPLACED) -> list[str]:
    """Panels without a place, outside the canvas, or over one another."""
    found = [f"{name} has no place" for name in scene.panels if name not in composition.places and name not in unplaced]
    places = [(name, composition.places[name]) for name in scene.panels if name in composition.places]
    for at, (name, place) in enumerate(places):
        if (
            place.x < 0
            or place.y < 0
            or place.x + place.wide > composition.wide + 1
            or place.y + place.tall > composition.tall + 1
        ):
            found.append(f"{name} sticks out")
        found += [f"{name} lies over {other}" for other, one in places[:at] if overlap(place, one) > 1]
    return found


@pytest.mark.parametrize(
    ("name", "seats"), [(name, seats) for name, game in GAMES.items() for seats in {game.seats[0], game.seats[-1]}]
)
def test_every_panel_has_its_place(name: str, seats: int) -> None:
    """On every window, in every state: inside the canvas, over no other. And the shapes change only with the composition."""
    shapes: dict[tuple[int | None, str], dict[str, tuple[int, int]]] = {}
    arrangements: dict[int | None, list[Compositions]] = {}
    declares = False
    for view, scene in seen(name, seats):
        assert scene.compositions is not None
        declares |= ui(GAMES[name]).page.compositions(view) is not None
        for window, composition in scene.compositions._asdict().items():
            assert [] == faults(scene, composition, left_out(view, window)), f"{window}, ply {view.ply}"
        known = arrangements.setdefault(view.seat, [])
        if scene.compositions not in known:
            known.append(scene.compositions)
        if declares:
            sizes = shapes.setdefault((view.seat, repr(scene.compositions)), {})
            for panel in scene.panels.values():
                assert sizes.setdefault(panel.name, (panel.width, panel.height)) == (panel.width, panel.height), view.ply
    if declares:
        assert all(len(known) <= MOVES_BY_RULES.get(name, 2) for known in arrangements.values())


def test_faults_are_found() -> None:
    """A panel that lies over another, sticks out, or has no place."""
    view = Match(GAMES["opera"], seed=1).view()
    scene = ui(GAMES["opera"]).scene(view, ui(GAMES["opera"]).english)
    assert scene.compositions is not None
    large = scene.compositions.large
    planted = {**large.places, "ladder": large.places["budget"], "palazzo": Place(-5, 0, 10, 10)}
    del planted["rounds"]
    told = faults(scene, large._replace(places=planted))
    assert {"rounds has no place", "palazzo sticks out"} <= set(told) and any("ladder" in one for one in told)
