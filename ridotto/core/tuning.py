"""Tuning: the settings of a game's bots, and measurements of these bots, as read from the game's `tuning.toml`.

Every part may be missing, and so may the file; then a game has these defaults:

=================== ================================================================ =======================================
part                what it says                                                     without it
=================== ================================================================ =======================================
[search]            the settings of the tree search, see `SearchSettings`            the engine's usual settings
[[levels]]          the settings of the six opponents for people; or, as [levels],   `STANDARD_LEVELS`
                    a list of six for each number of seats
[ratings]           by number of seats, the measured strength of the six levels      no rating is shown
[calibration]       the length of a match, and the calibration of chances            chances are shown as searched
[luck]              how luck is judged, and what seats may expect at the start       sixteen playouts; the judge's start
[certificate]       targets of `ridotto certify`, and its additional questions       the standard questions
=================== ================================================================ =======================================

`ridotto certify` and `ridotto calibrate` print the lines of [ratings] and [calibration].
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from ridotto.engine.digest import digest
from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import Seat

LEVELS: Final = 6
"""The number of levels, from the weakest to the strongest."""
MOST_SEATS: Final = 8
FORMER_NAMES: Final = {"explore": "c_puct", "caution": "fpu_reduction", "teaching": "opponent_update_rate"}
"""Keys of [search] up to version 0.1, which are still read."""


class BadTuning(RidottoError, ValueError):
    """A `tuning.toml` with an unknown key or a wrong value."""


@dataclass(frozen=True)
class SearchSettings:
    """The settings of the tree search for a game; see `ridotto.engine.search`."""

    c_puct: int = 1000
    """The exploration constant of PUCT, in thousandths."""
    random: int = 0
    """The random choices of a playout, in thousandths."""
    fpu_reduction: int = 100
    """First-play urgency: an untried action counts as the mean of the others less this, in thousandths."""
    opponent_update_rate: int = 500
    """The playouts that update the nodes of the rivals, in thousandths."""
    ahead: int = 0
    """The number of positions `value` can judge that a playout passes before it stops at the next one."""

    @property
    def numbers(self) -> list[int]:
        """The settings in the order of `ridotto.engine.search`."""
        return [self.c_puct, self.random, self.fpu_reduction, self.opponent_update_rate, self.ahead]


@dataclass(frozen=True)
class NetworkLevel:
    """The settings of a level that plays with the game's network."""

    playouts: int = 0
    """The playouts of its search; 0: it does not search, and plays by the network's probabilities."""
    temperature: float = 0.0
    """As in `LevelSettings` with a search; without one, probabilities are raised to the power of 1 / temperature."""
    overlook: float = 0.0
    """The probability of overlooking an action, without a search: it plays the best of the others."""


@dataclass(frozen=True)
class LevelSettings:
    """The settings of one level."""

    playouts: int
    temperature: float = 0.0
    """The size of its errors: an action whose share of the win is lower by this much is chosen about a third as often."""
    search: SearchSettings = SearchSettings()
    """The game's own settings, with what differs at this level."""
    network: NetworkLevel | None = None
    """Its play where the game has a network, instead of this search; None: this search everywhere."""
    bot: str = ""
    """The name of another bot that plays at this level, where it is compiled; "": there is none."""


STANDARD_LEVELS: Final = (
    LevelSettings(30, 0.2, SearchSettings(random=1000)),
    LevelSettings(30, 0.12),
    LevelSettings(80, 0.05),
    LevelSettings(250, 0.015),
    LevelSettings(1_000),
    LevelSettings(10_000),
)
"""The levels of a game that has none of its own: in order of strength, but not evenly spaced by measurement."""


@dataclass(frozen=True)
class Calibration:
    """A comparison of the chances that the search predicts with the results. Fitted by `ridotto calibrate`."""

    decisions: int = 100
    """The usual number of decisions in a match."""
    curve: tuple[float, ...] | None = None
    """The share of wins at predicted chances of 0, …, 100 in 100, in equal steps; None: as predicted."""


@dataclass(frozen=True)
class LuckSettings:
    """The settings of the judge of luck, and each seat's expectation at the start; see docs/luck.md."""

    playouts: int = 16
    """The worth of a position is the mean of so many playouts."""
    ahead: int = 1
    """The number of positions `value` can judge that a playout passes: far enough that the drawn cards can be used."""
    start: Mapping[int, tuple[float, ...]] = field(default_factory=dict)
    """By number of seats, each seat's share of the win at the start with equal play: measured, or known."""


@dataclass(frozen=True)
class CertificateQuestion:
    """An additional question of a game's certificate: one bot against copies of another at all other seats."""

    seats: int
    one: str
    rest: str
    wanted: float | None = None
    """The share of wins to be shown, if any."""
    seat: Seat | None = None
    """The only seat at which `one` plays; None: every seat in turn."""


@dataclass(frozen=True)
class CertificateComparison:
    """Two bots at the same seat, against the same opponents, on the same deals: how much more does the first win?"""

    title: str
    text: str
    """A paragraph of the page about the comparison."""
    seats: int
    seat: Seat
    bots: tuple[str, str]
    rest: str
    matches: int
    """The most matches of each bot: a small difference needs more than usual."""


@dataclass(frozen=True)
class CertificateSettings:
    """The shares of wins that a certificate has to show, each by number of seats, and its additional questions."""

    greedy: Mapping[int, float] = field(default_factory=dict)
    """The share that `greedy` must win against `random`."""
    search: Mapping[int, float] = field(default_factory=lambda: {2: 0.70, 4: 0.45})
    """The share that a search with 1,000 playouts must win against `greedy`."""
    deep_search: Mapping[int, float] = field(default_factory=lambda: {2: 0.58})
    """The share that a search with 10,000 playouts must win against one with 1,000."""
    questions: tuple[CertificateQuestion, ...] = ()
    comparisons: tuple[CertificateComparison, ...] = ()


@dataclass(frozen=True)
class Tuning:
    """The settings of a game's bots, and measurements of these bots.
    >>> Tuning().search.c_puct, len(Tuning().levels_for(2)), Tuning().ratings
    (1000, 6, {})
    """

    search: SearchSettings = SearchSettings()
    levels: tuple[LevelSettings, ...] = STANDARD_LEVELS
    """The levels at numbers of seats that have none of their own."""
    levels_at: Mapping[int, tuple[LevelSettings, ...]] = field(default_factory=dict)
    """The levels at some numbers of seats."""
    ratings: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """By number of seats, the ratings of the levels in Elo points; `greedy` has 1000."""
    calibration: Calibration = Calibration()
    luck: LuckSettings = field(default_factory=LuckSettings)
    certificate: CertificateSettings = field(default_factory=CertificateSettings)

    @property
    def digest(self) -> str:
        """A digest of the settings that change the play of bots: search and levels, not the measurements."""
        at = {str(seats): [asdict(level) for level in levels] for seats, levels in self.levels_at.items()}
        return digest([asdict(self.search), [asdict(level) for level in self.levels], at])

    def levels_for(self, seats: int) -> tuple[LevelSettings, ...]:
        """The levels at a table of this size."""
        return self.levels_at.get(seats, self.levels)


# Reading.


def load(path: Path) -> Tuning:
    """The tuning in a file; the defaults if there is no such file."""
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return Tuning()
    except (OSError, UnicodeDecodeError) as error:
        raise BadTuning(f"cannot read {str(path)!r}: {error}") from error
    return parse(text, str(path))


def parse(text: str, name: str = "tuning.toml") -> Tuning:
    """The tuning in a TOML document; errors call the document `name`.

    >>> parse("[search]\\nc_puct = 2000").search
    SearchSettings(c_puct=2000, random=0, fpu_reduction=100, opponent_update_rate=500, ahead=0)
    >>> parse("[search]\\nc_punt = 2000")
    Traceback (most recent call last):
    ridotto.core.tuning.BadTuning: tuning.toml: [search] has no 'c_punt'; did you mean 'c_puct'?
    """
    try:
        document = _Table(name, "", tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise BadTuning(f"{name}: not a TOML document: {error}") from error
    document.allow("search", "levels", "ratings", "calibration", "luck", "certificate")
    search = _search(document.table("search"), SearchSettings())
    by_seats = document.table("levels") if isinstance(document.values.get("levels"), dict) else None
    return Tuning(
        search,
        _levels(document if by_seats is None else None, "levels", search),
        {} if by_seats is None else {seats: _levels(by_seats, str(seats), search) for seats in by_seats.seats()},
        _ratings(document.table("ratings")),
        _calibration(document.table("calibration")),
        _luck(document.table("luck")),
        _certificate(document.table("certificate")),
    )


def _search(given: _Table, usual: SearchSettings) -> SearchSettings:
    given = _Table(given.file, given.name, {FORMER_NAMES.get(name, name): value for name, value in given.values.items()})
    names = [one.name for one in fields(SearchSettings)]
    given.allow(*names)
    return replace(usual, **{name: given.whole(name, 0, 1_000_000) for name in names if name in given.values})


def _levels(where: _Table | None, key: str, search: SearchSettings) -> tuple[LevelSettings, ...]:
    given = where.tables(key) if where is not None else []
    if where is None or not given:
        beginner, *others = STANDARD_LEVELS
        return replace(beginner, search=replace(search, random=1000)), *(replace(one, search=search) for one in others)
    if len(given) != LEVELS:
        raise where.wrong(key, f"there must be {LEVELS} of them, not {len(given)}")
    levels = []
    for one in given:
        one.allow("playouts", "temperature", "search", "network", "bot")
        temperature = one.number("temperature", 0, 10) if "temperature" in one.values else 0.0
        network = _network_level(one.table("network")) if "network" in one.values else None
        playouts, own_search = one.whole("playouts", 1, 10**9), _search(one.table("search"), search)
        levels.append(LevelSettings(playouts, temperature, own_search, network, one.text("bot") if "bot" in one.values else ""))
    return tuple(levels)


def _network_level(given: _Table) -> NetworkLevel:
    given.allow("playouts", "temperature", "overlook")
    playouts = given.whole("playouts", 0, 10**9) if "playouts" in given.values else 0
    temperature = given.number("temperature", 0, 100) if "temperature" in given.values else 0.0
    return NetworkLevel(playouts, temperature, given.number("overlook", 0, 1) if "overlook" in given.values else 0.0)


def _ratings(given: _Table) -> dict[int, tuple[int, ...]]:
    ratings = {}
    for seats in given.seats():
        points = given.list_of(str(seats), int)
        if len(points) != LEVELS:
            raise given.wrong(str(seats), f"there must be one for each of the {LEVELS} levels, not {len(points)}")
        ratings[seats] = tuple(points)
    return ratings


def _calibration(given: _Table) -> Calibration:
    given.allow("decisions", "curve")
    calibration = Calibration()
    if "decisions" in given.values:
        calibration = replace(calibration, decisions=given.whole("decisions", 1, 100_000))
    if "curve" in given.values:
        curve = given.list_of("curve", float)
        if len(curve) < 2 or sorted(curve) != curve or not 0 <= curve[0] <= curve[-1] <= 1:
            raise given.wrong("curve", "it must rise from 0 to 1, in two points at least")
        calibration = replace(calibration, curve=tuple(curve))
    return calibration


def _luck(given: _Table) -> LuckSettings:
    given.allow("playouts", "ahead", "start")
    settings = LuckSettings()
    if "playouts" in given.values:
        settings = replace(settings, playouts=given.whole("playouts", 1, 100_000))
    if "ahead" in given.values:
        settings = replace(settings, ahead=given.whole("ahead", 0, 1000))
    starts = given.table("start")
    shares = {seats: tuple(starts.list_of(str(seats), float)) for seats in starts.seats()}
    for seats, start in shares.items():
        if len(start) != seats or abs(sum(start) - 1) > 1e-3:
            raise starts.wrong(str(seats), f"{seats} shares that add up to 1 are wanted")
    return replace(settings, start=shares)


def _certificate(given: _Table) -> CertificateSettings:
    given.allow("greedy", "search", "deep_search", "questions", "comparisons")
    usual = CertificateSettings()
    return CertificateSettings(
        given.table("greedy").shares() if "greedy" in given.values else usual.greedy,
        given.table("search").shares() if "search" in given.values else usual.search,
        given.table("deep_search").shares() if "deep_search" in given.values else usual.deep_search,
        tuple(_question(one) for one in given.tables("questions")),
        tuple(_comparison(one) for one in given.tables("comparisons")),
    )


def _question(given: _Table) -> CertificateQuestion:
    given.allow("seats", "one", "rest", "wanted", "seat")
    seats = given.whole("seats", 2, MOST_SEATS)
    wanted = given.share("wanted") if "wanted" in given.values else None
    seat = given.whole("seat", 0, seats - 1) if "seat" in given.values else None
    return CertificateQuestion(seats, given.text("one"), given.text("rest"), wanted, seat)


def _comparison(given: _Table) -> CertificateComparison:
    given.allow("title", "text", "seats", "seat", "bots", "rest", "matches")
    bots = given.list_of("bots", str)
    if len(bots) != 2:
        raise given.wrong("bots", f"two are compared, not {len(bots)}")
    seats = given.whole("seats", 2, MOST_SEATS)
    return CertificateComparison(
        given.text("title"),
        given.text("text"),
        seats,
        given.whole("seat", 0, seats - 1),
        (bots[0], bots[1]),
        given.text("rest"),
        given.whole("matches", 2, 1_000_000),
    )


@dataclass(frozen=True)
class _Table:
    """A table of a TOML document, whose values are checked when they are read."""

    file: str
    name: str
    values: Mapping[str, Any]

    def wrong(self, key: str, why: str) -> BadTuning:
        """The exception for a wrong value: which value it is, and why it is wrong."""
        where = f"{self.name}.{key}" if self.name else key
        return BadTuning(f"{self.file}: {where}: {why}")

    def allow(self, *names: str) -> None:
        """Refuse every key but these."""
        for key in self.values:
            if key not in names:
                near = get_close_matches(key, names, 1)
                hint = f"did you mean {near[0]!r}?" if near else f"it may have: {', '.join(names)}"
                raise BadTuning(f"{self.file}: {f'[{self.name}]' if self.name else 'a tuning'} has no {key!r}; {hint}")

    def _value(self, key: str, kind: type, wanted: str) -> Any:
        if key not in self.values:
            raise self.wrong(key, f"{wanted} is missing")
        value = self.values[key]
        if kind is float and type(value) is int:
            value = float(value)
        if type(value) is not kind:
            raise self.wrong(key, f"{wanted} is wanted, not {value!r}")
        return value

    def number(self, key: str, low: float, high: float) -> float:
        value: float = self._value(key, float, "a number")
        if not low <= value <= high:
            raise self.wrong(key, f"a number from {low:g} to {high:g} is wanted, not {value:g}")
        return value

    def whole(self, key: str, low: int, high: int) -> int:
        value: int = self._value(key, int, "a whole number")
        if not low <= value <= high:
            raise self.wrong(key, f"a whole number from {low} to {high} is wanted, not {value}")
        return value

    def share(self, key: str) -> float:
        value: float = self._value(key, float, "a share between 0 and 1")
        if not 0 < value < 1:
            raise self.wrong(key, f"a share between 0 and 1 is wanted, not {value:g}")
        return value

    def text(self, key: str) -> str:
        value: str = self._value(key, str, "a text")
        return value

    def list_of(self, key: str, kind: type) -> list[Any]:
        items = self._value(key, list, "a list")
        inner = _Table(self.file, f"{self.name}.{key}", dict(zip(map(str, range(len(items))), items, strict=True)))
        wanted = {int: "a whole number", float: "a number", str: "a text"}[kind]
        return [inner._value(place, kind, wanted) for place in inner.values]

    def table(self, key: str) -> _Table:
        """A table inside this one; an empty one if it is missing."""
        values = self._value(key, dict, "a table") if key in self.values else {}
        return _Table(self.file, f"{self.name}.{key}" if self.name else key, values)

    def tables(self, key: str) -> Sequence[_Table]:
        """A list of tables inside this one; none if it is missing."""
        items = self._value(key, list, "a list of tables") if key in self.values else []
        name = f"{self.name}.{key}" if self.name else key
        for number, item in enumerate(items, 1):
            if not isinstance(item, dict):
                raise self.wrong(key, f"number {number} is not a table but {item!r}")
        return [_Table(self.file, f"{name} {number}", item) for number, item in enumerate(items, 1)]

    def seats(self) -> list[int]:
        """The keys, where each is a number of seats."""
        for key in self.values:
            if not key.isdecimal() or not 2 <= int(key) <= MOST_SEATS:
                raise self.wrong(key, f"a number of seats from 2 to {MOST_SEATS} is wanted")
        return [int(key) for key in self.values]

    def shares(self) -> dict[int, float]:
        """The values as shares, where each key is a number of seats."""
        return {seats: self.share(str(seats)) for seats in self.seats()}
