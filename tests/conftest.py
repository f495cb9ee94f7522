"""What the batteries share: every game with every number of seats and its options, and random play on a build."""

from __future__ import annotations

import os
import random
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.engine.build import Build
from ridotto.engine.fields import EVENT_WIDTH, Row, Seat, Target
from ridotto.games import GAMES

if TYPE_CHECKING:
    from browsers import Guests
    from databases import Postgres
    from playwright.sync_api import Browser
    from visitors import House

sys.path.insert(0, str(Path(__file__).parent))

if "liars_dice" not in GAMES:
    # A game that comes from another package goes through everything that ours go through.
    why = GAMES.broken.get("liars_dice", "it is not installed")
    pytest.exit(f"no liars_dice to test ({why}): pip install --no-deps -e examples/liars-dice, or `make test`")

ENDLESS = 5000
"""More decisions than a match of any of our games can have."""

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    # A suite that runs in the background ignores Ctrl-C, and so would every program that a test starts and interrupts.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@dataclass(frozen=True)
class Setup:
    """A game, how many sit down to it, and its options."""

    game: Game
    seats: int
    options: tuple[tuple[str, int], ...]
    share: int
    """How many set-ups of this game there are."""

    def __str__(self) -> str:
        changed = [f"{name}={value}" for name, value in self.options]
        return "-".join([self.game.name, str(self.seats), *changed])

    def seeds(self, matches: int) -> range:
        """This set-up's part of so many matches of the game, one at least."""
        return range(max(1, matches // self.share))

    def match(self, seed: int) -> Match:
        """A match, the same each time."""
        return Match(self.game, self.seats, dict(self.options), seed=seed, clock=lambda: 0.0)

    def walk(self, target: Target, seed: int) -> Walk:
        """A match on the bare rules of a build, the same each time."""
        return Walk(self.game.build(target), self, seed)


class Walk:
    """A match of random play on the bare rules of a build: `row` is where it stands."""

    def __init__(self, build: Build, setup: Setup, seed: int) -> None:
        self.build, self.seats = build, setup.seats
        self.chance = random.Random(f"{setup} {seed}")
        self.row, self.mask, self.dice = build.row(), build.mask(), build.generator(seed)
        self.told: list[tuple[int, ...]] = []
        """What the last step told."""
        events = build.events()
        options = build.copy(list(setup.game.settle(dict(setup.options)).values()))
        build.rules.deal(self.row, setup.seats, options, self.dice, events)
        self._listen(events)

    def __iter__(self) -> Iterator[tuple[Seat, int]]:
        """Play to the end: before each decision, the seat and the action that will be played."""
        for _ in range(ENDLESS):
            owing = self.owing()
            if not owing:
                return
            seat = self.chance.choice(owing)
            action = self.chance.choice(self.legal(seat))
            yield seat, action
            self.play(seat, action)
        raise AssertionError(f"no end after {ENDLESS} decisions")

    def owing(self) -> list[Seat]:
        """The seats that owe a decision."""
        bits = int(self.build.rules.to_act(self.row))
        assert 0 <= bits < 1 << self.seats
        return [seat for seat in range(self.seats) if bits >> seat & 1]

    def legal(self, seat: Seat, row: Row | None = None) -> list[int]:
        """The ids that the mask of a seat allows, here or in another row."""
        self.build.rules.legal(self.row if row is None else row, seat, self.mask)
        words = enumerate(plain(self.mask))
        return [32 * at + bit for at, word in words if word for bit in range(32) if word >> bit & 1]

    def play(self, seat: Seat, action: int) -> None:
        """Do an action."""
        events = self.build.events()
        self.build.rules.apply(self.row, seat, action, self.dice, events)
        self._listen(events)

    def words(self) -> Row:
        """The row as plain integers."""
        return plain(self.row)

    def masked(self, seat: Seat | None) -> Row:
        """The row with everything blanked that a seat may not know."""
        return self.build.copy(self.build.rules.FIELDS.masked(self.row, seat))

    def _listen(self, events: list[int]) -> None:
        heard = plain(events[: 1 + int(events[0]) * EVENT_WIDTH])
        self.told = [tuple(heard[at : at + EVENT_WIDTH]) for at in range(1, len(heard), EVENT_WIDTH)]


def plain(words: Any) -> list[int]:
    """The words of a list or of an array as integers of Python."""
    found: list[int] = words.tolist() if hasattr(words, "tolist") else list(words)
    return found


def setups() -> list[Setup]:
    """Every game: with every number of seats by its default options, and any two of seats and options together in some set-up.

    Of an option that is the default, the lowest and the highest value.
    """
    found = []
    for game in GAMES.values():
        factors: dict[str, Sequence[int]] = {"seats": game.seats}
        for option in game.rules.OPTIONS:
            factors[option.name] = sorted({option.low, option.default, option.high})
        rows = pairwise(factors, [{"seats": seats} | game.settle() for seats in game.seats])
        for row in rows:
            changed = [(name, value) for name, value in row.items() if name != "seats" and value != game.settle()[name]]
            found.append(Setup(game, row["seats"], tuple(changed), len(rows)))
    return found


def pairwise(factors: Mapping[str, Sequence[int]], rows: Sequence[Mapping[str, int]] = ()) -> list[dict[str, int]]:
    """Rows that have any two values of any two factors together in one of them, the given rows first.

    >>> pairwise({"seats": (2, 3), "blind": (0, 1), "open": (0, 1)})
    [{'seats': 2, 'blind': 0, 'open': 0}, {'seats': 2, 'blind': 1, 'open': 1}, {'seats': 3, 'blind': 0, 'open': 1}, \
{'seats': 3, 'blind': 1, 'open': 0}]
    """
    pairs = [((one, a), (other, b)) for one, other in combinations(factors, 2) for a in factors[one] for b in factors[other]]
    found = [dict(row) for row in rows]
    missing = [pair for pair in pairs if not any(set(pair) <= row.items() for row in found)]
    while missing:
        row = dict(missing[0])
        for name, values in factors.items():
            if name not in row:
                # The value that brings most of what is missing together with the values chosen so far.
                row[name] = max(
                    values,
                    key=lambda value: sum(
                        (name, value) in pair and set(pair) <= {*row.items(), (name, value)} for pair in missing
                    ),
                )
        found.append({name: row[name] for name in factors})
        missing = [pair for pair in missing if not set(pair) <= row.items()]
    return found


def every_table() -> list[Any]:
    """Every game with every number of seats, as parameters: numbers between the fewest and the most are for `make soak`."""
    return [
        pytest.param(name, seats, marks=() if seats in (game.seats[0], game.seats[-1]) else pytest.mark.soak)
        for name, game in GAMES.items()
        for seats in game.seats
    ]


@pytest.fixture(scope="session")
def games() -> dict[str, Game]:
    """Every game by name."""
    return dict(GAMES)


@pytest.fixture(params=GAMES.values(), ids=lambda game: str(game.name))
def game(request: pytest.FixtureRequest) -> Game:
    """Every game."""
    found: Game = request.param
    return found


@pytest.fixture
def tables(game: Game) -> list[Setup]:
    """All set-ups of one game."""
    return [one for one in setups() if one.game is game]


@pytest.fixture(params=setups(), ids=str)
def setup(request: pytest.FixtureRequest) -> Setup:
    """Every game with every number of seats and its options."""
    found: Setup = request.param
    return found


@pytest.fixture(params=["python", "cpu"])
def target(request: pytest.FixtureRequest) -> Target:
    """Every target."""
    found: Target = request.param
    return found


@pytest.fixture
def rare() -> Callable[[int], float]:
    """A chi-square, by degrees of freedom, that chance exceeds less than once in a million."""

    def bound(freedom: int) -> float:
        # Wilson and Hilferty's approximation, five deviations out.
        part = 2 / (9 * freedom)
        return float(freedom * (1 - part + 5 * part**0.5) ** 3)

    return bound


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    """A real PostgreSQL, started by the first process of a run that needs it."""
    import databases

    folder = tmp_path_factory.getbasetemp()
    run = folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder
    # Not inside: pytest closes its folders to other users, and PostgreSQL does not run as root.
    with databases.postgres(Path(tempfile.gettempdir()) / f"ridotto-postgres-{os.getuid()}-{run.name}") as server:
        yield server


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A real Chromium."""
    import browsers

    with browsers.chromium() as found:
        yield found


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database, of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'ridotto.db'}"
    server: Postgres = request.getfixturevalue("postgres")
    return server.new()


@pytest.fixture
def guests(browser: Browser, house: House) -> Iterator[Guests]:
    """People with a browser at the server of the module; no page of theirs may have a fault."""
    from browsers import Guests

    guests = Guests(browser, house.base)
    yield guests
    for context in guests.contexts:
        context.close()
    assert [] == guests.faults
