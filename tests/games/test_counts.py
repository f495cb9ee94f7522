"""How many sequences of actions there are: the lines of counts.txt, on every target, and by a second way of counting."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.engine.build import Build
from ridotto.engine.fields import Row, Target

if TYPE_CHECKING:
    from conftest import Setup


TARGETS: tuple[Target, ...] = ("python", "cpu")


class Line(NamedTuple):
    """A line of counts.txt: from the deal of a seed, so many sequences of so many actions."""

    game: str
    seats: int
    seed: int
    depth: int
    nodes: int


def lines() -> list[Line]:
    """What counts.txt says."""
    text = Path(__file__).parents[1].joinpath("counts.txt").read_text("utf-8")
    parts = [line.partition("#")[0].split() for line in text.splitlines()]
    return [
        Line(game, int(seats), int(seed), int(depth), int(nodes)) for game, seats, seed, depth, nodes in filter(None, parts)
    ]


def count(build: Build, row: Row, depth: int) -> int:
    """What the driver counts."""
    rows = stack(build, [row] * (depth + 1), "int16")
    masks = stack(build, [build.mask()] * (depth + 1), "uint32")
    following, dice, events = build.array(depth + 1, "int16"), build.generator(0), build.events(muted=True)
    return int(build.driver.count(rows, masks, following, dice, events, depth))


def stack(build: Build, rows: list[Row], dtype: str) -> Any:
    """Rows of their own, in the form a target works on."""
    if build.target == "python":
        return [list(row) for row in rows]
    import numpy

    return numpy.array(rows, dtype)


def by_first_action(match: Match, depth: int) -> str:
    """The counts after each first action, as the lines in which a wrong branch is found."""
    seat, found = match.to_act[0], []
    for action in match.legal(seat):
        after = Match(match.game, position=match.position(), seed=0)
        after.play(action, seat)
        found.append(f"{action}: {count(match.game.build('cpu'), after.row, depth - 1)}")
    return "\n".join(found)


@pytest.mark.parametrize("line", lines(), ids=lambda line: " ".join(map(str, line[:4])))
def test_counts_stand(line: Line, games: dict[str, Game]) -> None:
    """Every line of counts.txt holds."""
    match = Match(games[line.game], line.seats, seed=line.seed)
    nodes = count(match.game.build("cpu"), match.row, line.depth)
    assert line.nodes == nodes, by_first_action(match, line.depth)


def test_every_set_up_has_a_line(tables: list[Setup]) -> None:
    """No game and no number of seats goes without a count."""
    counted = {(line.game, line.seats) for line in lines()}
    assert {(setup.game.name, setup.seats) for setup in tables} <= counted


def shallow(match: Match, depth: int, most: int) -> int:
    """The depth asked for, or less where so many actions are legal that there would be too much to count slowly."""
    while count(match.game.build("cpu"), match.row, depth) > most:
        depth -= 1
    return depth


def naive(game: Game, match: Match, depth: int) -> int:
    """The same count by matches alone: each is laid out from a position, and draws as the generator of seed 0 does."""
    if depth == 0 or not match.to_act:
        return 1
    total = 0
    seat, position = match.to_act[0], match.position()
    for action in match.legal(seat):
        after = Match(game, position=position, seed=0)
        after.play(action, seat)
        total += naive(game, after, depth - 1)
    return total


@pytest.mark.parametrize("depth", [0, 3, *(pytest.param(one, marks=pytest.mark.soak) for one in (1, 2))])
@pytest.mark.parametrize("most", [400, pytest.param(1500, marks=pytest.mark.soak)])
def test_driver_counts_what_matches_allow(setup: Setup, depth: int, most: int) -> None:
    """From the deal and from the middle of a match, the driver counts as many sequences as playing them all does."""
    match = setup.match(depth)
    for _ in range(3):
        deep = shallow(match, depth, most)
        found = naive(setup.game, match, deep)
        assert [found, found] == [count(setup.game.build(target), match.row, deep) for target in TARGETS]
        for _ in range(7):
            if match.to_act:
                match.play(match.legal(match.to_act[-1])[-1], match.to_act[-1])


@pytest.mark.parametrize("most", [4000, pytest.param(20_000, marks=pytest.mark.soak)])
def test_driver_counts_the_same_everywhere(setup: Setup, most: int) -> None:
    """Interpreted and compiled counts agree a few actions deep."""
    match = setup.match(3)
    depth = shallow(match, 4, most)
    python, cpu = (count(setup.game.build(target), match.row, depth) for target in TARGETS)
    assert python == cpu


def test_a_failure_names_the_branch(setup: Setup) -> None:
    """The counts by first action, which a failure prints, add up to the whole."""
    match = setup.match(4)
    parts = [int(part.rpartition(": ")[2]) for part in by_first_action(match, 3).splitlines()]
    assert count(setup.game.build("cpu"), match.row, 3) == sum(parts)
