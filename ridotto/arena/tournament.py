"""Tournaments: who is stronger, by how much, and how sure is that.

Every deal is played once for each seat that a bot can have at it: so both sides of a *pairing* get the same deals, and
no seat or role favours anybody. At more than two seats a pairing is one bot against a table full of another.

Which matches are played depends on the seed alone, not on the number of processes, and a file of results is gone on
with where it stops.
"""

from __future__ import annotations

import hashlib
import json
import re
import signal
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import cache
from math import ceil, log, sqrt
from multiprocessing import connection, get_context
from pathlib import Path
from typing import Any, Final, Literal, Protocol, TypeAlias, TypeVar

from ridotto import bots
from ridotto.arena.board import Board
from ridotto.arena.simulation import Simulation
from ridotto.bots import levels, search, simple
from ridotto.bots.programs import MOVE_SECONDS, Fault, Program, names_in
from ridotto.core.game import Game
from ridotto.engine.digest import digest
from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import Seat
from ridotto.games import find

FORMAT: Final = "ridotto arena"
FORMAT_VERSION: Final = 1
NORMAL: Final = 1.96
"""Standard errors either side of a 95 % interval."""
Faults: TypeAlias = Literal["resign", "random", "stop"]


class BadArena(RidottoError, ValueError):
    """A tournament that cannot be held."""


class Stopped(RidottoError):
    """A program was at fault, and that was to stop the arena."""


# What is played.


@dataclass(frozen=True)
class Setting:
    """What the matches of a tournament have in common; with the pairing and the deal, it makes each what it is."""

    game: str
    players: int
    options: Mapping[str, int]
    seed: int = 1
    box: Path | None = None
    move: float = MOVE_SECONDS
    """Seconds that an outside program gets for a move."""
    match: float | None = None
    """Seconds that an outside program gets for all its moves of a match."""
    faults: Faults = "resign"
    """What becomes of a program that is at fault: its match is lost, or goes on at random, or everything stops."""

    @property
    def title(self) -> Game:
        """The game itself."""
        return _game(self.game, self.box)

    def header(self) -> dict[str, Any]:
        """The first line of a file of results: what must be the same to go on with it."""
        return {
            "format": FORMAT,
            "version": FORMAT_VERSION,
            "game": self.game,
            "rules": self.title.version,
            "box": self.title.build().box,
            "code": _code(self.game, self.box),
            "players": self.players,
            "options": dict(self.options),
            "seed": self.seed,
            "move_seconds": self.move,
            "match_seconds": self.match,
            "faults": self.faults,
        }


@cache
def _game(name: str, box: Path | None) -> Game:
    return find(name, box)


@cache
def _code(name: str, box: Path | None) -> str:
    """A digest of the rules, of our own bots and of how they are set: what others would play is not mixed with this."""
    build = _game(name, box).build()
    files = (*build.sources, *(Path(str(module.__file__)) for module in (search, simple, levels)))
    sources = [hashlib.sha256(path.read_bytes()).hexdigest() for path in files]
    return digest([*sources, _game(name, box).tuning.digest])[:16]


@dataclass(frozen=True)
class Pairing:
    """One bot against a table full of another; each deal is played once for each of the seats that the one takes."""

    one: str
    rest: str
    seats: tuple[Seat, ...]

    def __str__(self) -> str:
        return f"{self.one} against {self.rest}"

    def sitting(self, at: Seat, players: int) -> list[str]:
        """Who sits where when the one sits at `at`."""
        return [self.one if seat == at else self.rest for seat in range(players)]


def contestants(text: str) -> list[str]:
    """The bots of a comma list, each of them there."""
    names = names_in(text)
    for name in names:
        bots.find(name)
    return names


def pairings(names: Sequence[str], players: int, gauntlet: str | None = None) -> list[Pairing]:
    """Everybody against everybody, or one bot against everybody.

    With two seats a pair meets once; with more, each of the two is in turn the one against the rest.
    """
    seats = tuple(range(players))
    if len(set(names)) < len(names):
        raise BadArena(f"a bot is named twice in {', '.join(names)}")
    if gauntlet is not None:
        others = [name for name in names if name != gauntlet]
        if not others:
            raise BadArena(f"{gauntlet!r} has nobody to run the gauntlet of: name other bots")
        return [Pairing(gauntlet, other, seats) for other in others]
    if len(names) < 2:
        raise BadArena("a tournament needs two bots at least")
    return [Pairing(a, b, seats) for i, a in enumerate(names) for j, b in enumerate(names) if i < j or (i > j and players > 2)]


def seconds_of(text: str) -> float:
    """A time such as 250ms, 2s or 1.5m.

    >>> seconds_of("250ms")
    0.25
    """
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)(ms|s|m)", text)
    seconds = float(found[1]) * {"ms": 0.001, "s": 1, "m": 60}[found[2]] if found else 0.0
    if seconds <= 0:
        raise BadArena(f"{text!r} is not a time such as 250ms, 2s or 5m")
    return seconds


def chance(*parts: int | str) -> int:
    """A number that follows from others, and looks like nothing else that does."""
    return int.from_bytes(hashlib.blake2b(repr(parts).encode(), digest_size=8).digest()) >> 2


# One match.


@dataclass(frozen=True)
class Result:
    """One match: who sat where, how it ended, and how long each seat thought."""

    one: str
    rest: str
    deal: int
    at: Seat
    """Where the one sat."""
    seed: int
    """What `Match` makes the same deal with."""
    ending: str
    winners: list[Seat]
    scores: list[int]
    plies: int
    moves: str
    """A digest of all actions: the same moves, the same match."""
    micros: list[list[int]]
    """What each decision of each seat took, in millionths of a second."""
    faults: list[dict[str, Any]] = field(default_factory=list)

    @property
    def key(self) -> Key:
        """What it is known by."""
        return self.one, self.rest, self.deal, self.at

    def share(self, seat: Seat) -> float:
        """A seat's part of the win; where nobody wins, nobody has one."""
        return 1 / len(self.winners) if seat in self.winners else 0.0

    def rest_share(self) -> float:
        """The part of all the others together."""
        return sum(self.share(seat) for seat in self.winners if seat != self.at)


Key: TypeAlias = tuple[str, str, int, Seat]


class TimeUp(Exception):
    """There is no time to finish a match."""


def play(setting: Setting, pairing: Pairing, deal: int, at: Seat, until: float | None = None) -> Result:
    """Play one match."""
    names = pairing.sitting(at, setting.players)
    sitting = [_bot(name, setting) for name in names]
    seed = chance("deal", setting.seed, deal)
    board = Board(setting.title, setting.players, setting.options, seed)
    actions: list[int] = []
    micros: list[list[int]] = [[] for _ in names]
    faults: list[dict[str, Any]] = []
    try:
        while waiting := board.to_act:
            if until is not None and time.monotonic() > until:
                raise TimeUp
            seat = waiting[0]
            view = board.view(seat)
            began = time.perf_counter_ns()
            try:
                action = sitting[seat].choose(view, bots.Budget(chance(seed, at, seat, board.ply)))
            except Fault as fault:
                faults.append({"seat": seat, "ply": board.ply, "code": fault.code, "message": str(fault)})
                if setting.faults == "stop":
                    raise Stopped(f"{names[seat]!r} at seat {seat}, deal {deal}, ply {board.ply}: {fault}") from fault
                if setting.faults == "resign":
                    board.resign(seat)
                    break
                sitting[seat] = bots.find("random")
                continue
            micros[seat].append((time.perf_counter_ns() - began) // 1000)
            if action not in view.legal:
                raise BadArena(f"{names[seat]!r} chose action {action!r}, which is not legal, at deal {deal}, ply {board.ply}")
            board.play(seat, action)
            actions.append(action)
        outcome = board.outcome
        assert outcome is not None
        for seat, bot in enumerate(sitting):
            if isinstance(bot, Program):
                bot.over(board.view(seat))
    finally:
        for bot in sitting:
            if isinstance(bot, Program):
                bot.close()
    return Result(
        pairing.one,
        pairing.rest,
        deal,
        at,
        seed,
        outcome.ending,
        list(outcome.winners),
        list(outcome.scores),
        board.ply,
        digest(actions)[:16],
        micros,
        faults,
    )


def _bot(name: str, setting: Setting) -> bots.Bot:
    """A bot that knows of no other match."""
    bot = bots.find(name).sit()
    if isinstance(bot, Program):
        bot.allow(setting.move, setting.match)
    return bot


# The results so far, in memory and in a file.


class Ledger:
    """The results of a tournament. With a path they are also lines of a file, and those there already count."""

    def __init__(self, setting: Setting, path: Path | None = None) -> None:
        self.setting, self.path = setting, path
        self._found: dict[Key, Result] = {}
        self._file: Any = None
        if path is not None:
            try:
                self._open(path)
            except BadArena:
                self.close()
                raise

    def __contains__(self, key: Key) -> bool:
        return key in self._found

    def __getitem__(self, key: Key) -> Result:
        return self._found[key]

    def add(self, results: Iterable[Result]) -> None:
        """Take in results; they are in the file before anything else happens."""
        text = ""
        for result in results:
            self._found[result.key] = result
            text += json.dumps(vars(result), separators=(",", ":")) + "\n"
        if self._file is not None:
            self._file.write(text.encode())
            self._file.flush()

    def share(self, pairing: Pairing, deal: int) -> float | None:
        """The mean share of the one over all matches of a deal, once they are all there."""
        keys = [(pairing.one, pairing.rest, deal, at) for at in pairing.seats]
        if not all(key in self._found for key in keys):
            return None
        return sum(self._found[key].share(key[3]) for key in keys) / len(keys)

    def whole(self, pairing: Pairing, deals: int) -> list[Result]:
        """The results of a pairing's deals, of those alone that were played from every seat."""
        kept = [deal for deal in range(deals) if self.share(pairing, deal) is not None]
        return [self._found[pairing.one, pairing.rest, deal, at] for deal in kept for at in pairing.seats]

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def _open(self, path: Path) -> None:
        """Read what is there, cut off a last line that was not finished, and go on behind it."""
        import fcntl

        try:
            self._file = path.open("a+b")
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise BadArena(f"another arena is writing to {str(path)!r}") from error
        except OSError as error:
            raise BadArena(f"cannot write to {str(path)!r}: {error.strerror or error}") from error
        self._file.seek(0)
        text: bytes = self._file.read()
        *lines, torn = text.split(b"\n")
        if lines:
            self._check(lines[0])
        elif torn and not (json.dumps(self.setting.header()).encode().startswith(torn)):
            self._check(torn)
        self._file.truncate(len(text) - len(torn))
        if not lines:
            self._file.write(json.dumps(self.setting.header()).encode() + b"\n")
            self._file.flush()
        for number, line in enumerate(lines[1:], 2):
            try:
                result = Result(**json.loads(line))
                self._found.setdefault(result.key, result)
            except (ValueError, TypeError) as error:
                raise BadArena(f"line {number} of {str(path)!r} is no result: {error}") from error

    def _check(self, line: bytes) -> None:
        try:
            header = json.loads(line)
        except ValueError:
            header = None
        if not isinstance(header, dict) or header.get("format") != FORMAT:
            raise BadArena(f"{str(self.path)!r} is not a file of results of an arena: name another one")
        for key, value in self.setting.header().items():
            if header.get(key) != value:
                raise BadArena(
                    f"{str(self.path)!r} is of a tournament with {key} {header.get(key)!r}, not {value!r}: name another file"
                )


# When a question is settled.


@dataclass(frozen=True)
class Sprt:
    """A sequential test: is the share of the one as low as `low`, or as high as `high`?

    It is the generalised sequential probability ratio test on whole deals, as chess engines are tested by pairs of games
    (M. Van den Bergh, "The generalized sequential probability ratio test", for Fishtest, 2017-2020): the likelihoods
    compared are the largest that a distribution of a deal's result with that mean can have. Where a deal is one match that is
    won or lost, it is Wald's test of 1945.
    """

    low: float
    high: float
    error: float = 0.05
    """The chance to be wrong, either way."""

    @classmethod
    def parse(cls, text: str) -> Sprt:
        """The test that LOW:HIGH stands for."""
        try:
            low, high = (float(part) for part in text.split(":"))
        except ValueError as error:
            raise BadArena(f"{text!r} is not LOW:HIGH, two win shares such as 0.5:0.55") from error
        if not 0 < low < high < 1:
            raise BadArena(f"the win shares of {text!r} must lie between 0 and 1, the lower one first")
        return cls(low, high)

    @property
    def bound(self) -> float:
        """Wald's bound on the logarithm of the ratio, either way."""
        return log((1 - self.error) / self.error)

    def ratio(self, shares: Mapping[float, int]) -> float:
        """The logarithm of the likelihood ratio of the results of deals, each with how often it came."""
        # A trace of the two ends, so that either mean is possible whatever was seen.
        seen: dict[float, float] = {0.0: 1e-3, 1.0: 1e-3}
        for share, count in shares.items():
            seen[share] = seen.get(share, 0.0) + count
        low, high = _tilt(seen, self.low), _tilt(seen, self.high)
        return sum(
            count * log((1 + low * (share - self.low)) / (1 + high * (share - self.high))) for share, count in seen.items()
        )

    def verdict(self, shares: Mapping[float, int]) -> Literal["low", "high"] | None:
        """What is settled, if anything."""
        ratio = self.ratio(shares)
        if abs(ratio) < self.bound:
            return None
        return "high" if ratio > 0 else "low"


def _tilt(seen: Mapping[float, float], mean: float) -> float:
    """The number that turns frequencies f into the likeliest ones with that mean: f / (1 + tilt · (share - mean))."""
    low, high = -1 / (max(seen) - mean), 1 / (mean - min(seen))
    for _ in range(200):
        middle = (low + high) / 2
        slope = sum(count * (share - mean) / (1 + middle * (share - mean)) for share, count in seen.items())
        low, high = (middle, high) if slope > 0 else (low, middle)
    return (low + high) / 2


@dataclass
class Course:
    """How far a pairing has come: its deals in order, until the test is settled."""

    pairing: Pairing
    deals: int
    """How many there are to be."""
    sprt: Sprt | None = None
    counted: int = 0
    shares: Counter[float] = field(default_factory=Counter)
    verdict: Literal["low", "high"] | None = None

    @classmethod
    def of(cls, pairing: Pairing, games: int, sprt: Sprt | None = None) -> Course:
        """The course of so many matches: as many whole deals as it takes."""
        return cls(pairing, ceil(games / len(pairing.seats)), sprt)

    def follow(self, ledger: Ledger) -> None:
        """Count the deals that are complete, one after the other, so that what came early elsewhere decides nothing."""
        while not self.is_over and (share := ledger.share(self.pairing, self.counted)) is not None:
            self.shares[round(share, 9)] += 1
            self.counted += 1
            self.verdict = self.sprt.verdict(self.shares) if self.sprt else None

    @property
    def is_over(self) -> bool:
        return self.verdict is not None or self.counted >= self.deals

    def results(self, ledger: Ledger) -> list[Result]:
        """The matches that count."""
        return ledger.whole(self.pairing, self.counted if self.sprt else self.deals)


# Holding a tournament.


@dataclass(frozen=True)
class Task:
    """A deal of a pairing, the seats from which it is still to be played, and when the time is up."""

    setting: Setting
    pairing: Pairing
    deal: int
    seats: tuple[Seat, ...]
    until: float | None

    def __str__(self) -> str:
        return f"{self.pairing}, deal {self.deal}"

    def play(self) -> list[Result]:
        """The matches, as many as there is time for."""
        results = []
        try:
            for at in self.seats:
                results.append(play(self.setting, self.pairing, self.deal, at, self.until))
        except TimeUp:
            pass
        return results


def hold(
    ledger: Ledger, courses: Sequence[Course], crew: Crew, until: float | None = None, told: Callable[[], None] = lambda: None
) -> None:
    """Play what the courses still lack, until they are over or the time is up; `told` is called after each deal."""
    for course in courses:
        course.follow(ledger)
    if all(course.is_over for course in courses):
        return
    crew.warm(ledger.setting)
    by_pairing = {course.pairing: course for course in courses}
    playing = crew.play(_tasks(ledger, courses, until))
    with closing(playing):
        for task, results in playing:
            ledger.add(results)
            by_pairing[task.pairing].follow(ledger)
            told()
            if all(course.is_over for course in courses):
                break


def _tasks(ledger: Ledger, courses: Sequence[Course], until: float | None) -> Iterator[Task]:
    """What is to be played next: deal by deal, all pairings in turn, as long as they are not settled."""
    for deal in range(max(course.deals for course in courses)):
        for course in courses:
            pairing = course.pairing
            left = tuple(at for at in pairing.seats if (pairing.one, pairing.rest, deal, at) not in ledger)
            if not left or course.is_over or deal >= course.deals:
                continue
            if until is not None and time.monotonic() > until:
                return
            yield Task(ledger.setting, pairing, deal, left, until)


@cache
def _warmed(game: str, box: Path | None) -> None:
    rules = _game(game, box)
    with _undisturbed():
        Simulation(rules, rules.seats[0], rules.settle(), 1).warm()


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Put an interrupt off until the block has ended: the compiler cannot be stopped halfway."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    interrupts: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: interrupts.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if interrupts:
        raise KeyboardInterrupt


def warm(setting: Setting) -> None:
    """Have everything compiled, so that no decision waits for it."""
    _warmed(setting.game, setting.box)


class Work(Protocol):
    """Something that a crew can play: what is to be warmed first, and what comes of it, both fit to be sent elsewhere."""

    @property
    def setting(self) -> Setting: ...

    def play(self) -> Any: ...


AnyWork = TypeVar("AnyWork", bound=Work)


class Crew:
    """Processes that play, one task at a time each. A crew of one is this process itself. See also cluster.py."""

    def __init__(self, processes: int) -> None:
        self.processes = processes
        self._idle: list[_Hand] = []

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        _dismiss(self._idle)
        self._idle = []

    def warm(self, setting: Setting) -> None:
        """Have everything compiled and loaded everywhere, so that no match waits for it."""
        warm(setting)
        nothing = Task(setting, Pairing("", "", ()), 0, (), None)
        for _ in self.play(iter([nothing] * self.processes)):
            pass

    def play(self, tasks: Iterator[AnyWork]) -> Generator[tuple[AnyWork, Any], None, None]:
        """The results of tasks as they come. Whoever is still playing when nobody wants more is dismissed."""
        if self.processes == 1:
            for task in tasks:
                yield task, task.play()
            return
        while len(self._idle) < self.processes:
            self._idle.append(_Hand())
        busy: dict[Any, tuple[_Hand, AnyWork]] = {}
        try:
            while True:
                while self._idle and (next_task := next(tasks, None)) is not None:
                    hand = self._idle.pop()
                    busy[hand.pipe] = hand, next_task
                    hand.pipe.send(next_task)
                if not busy:
                    return
                for pipe in connection.wait(list(busy)):
                    hand, task = busy[pipe]
                    try:
                        answer = hand.pipe.recv()
                    except EOFError as error:
                        raise BadArena(f"a process of the arena died while it played {task}") from error
                    if isinstance(answer, RidottoError):
                        raise answer
                    del busy[pipe]
                    self._idle.append(hand)
                    yield task, answer
        finally:
            _dismiss([hand for hand, _ in busy.values()])


class _Hand:
    """One process of a crew, and the pipe to it."""

    def __init__(self) -> None:
        spawn = get_context("spawn")
        self.pipe, there = spawn.Pipe()
        self.process = spawn.Process(target=_serve, args=(there,), daemon=True)
        self.process.start()
        there.close()


def _dismiss(hands: Sequence[_Hand]) -> None:
    for hand in hands:
        hand.process.terminate()
    for hand in hands:
        hand.process.join(5)
        hand.process.kill()
        hand.process.join()
        hand.pipe.close()


def _serve(pipe: Any) -> None:
    """Play what is asked for until nobody asks; whatever the end, no program is left behind."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    try:
        while True:
            task = pipe.recv()
            warm(task.setting)
            try:
                pipe.send(task.play())
            except RidottoError as error:
                pipe.send(Stopped(str(error)) if isinstance(error, Stopped) else BadArena(str(error)))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return  # whoever asked is gone


def _leave(number: int, frame: Any) -> None:
    raise SystemExit(128 + number)


# What came of it.


def wilson(share: float, matches: int) -> tuple[float, float]:
    """The 95 % interval of a share of wins (E. B. Wilson, 1927): sensible near 0 and 1, and with few matches."""
    if not matches:
        return 0.0, 1.0
    trace = NORMAL**2 / matches
    middle = (share + trace / 2) / (1 + trace)
    half = NORMAL * sqrt(share * (1 - share) / matches + trace / (4 * matches)) / (1 + trace)
    return max(middle - half, 0.0), min(middle + half, 1.0)


@dataclass
class Score:
    """What one against a rest came to: matches, and the wins of each side in parts."""

    matches: int = 0
    one: float = 0.0
    rest: float = 0.0


@dataclass(frozen=True)
class Rating:
    """A strength in Elo points, with its 95 % interval: ten times the odds are 400 points."""

    points: float
    low: float
    high: float


def ratings(scores: Mapping[tuple[str, str], Score], players: int, anchor: str, points: float = 1000.0) -> dict[str, Rating]:
    """The strength of every bot that is joined to the anchor by matches; the anchor's is given.

    The model is Luce's choice (at two seats Bradley and Terry's): a seat wins in proportion to its strength, whoever else
    sits there. So each win counts as one over every other seat; a match that nobody wins is shared by all. Each pairing
    gets one match more, shared by all, so that even a bot that always wins has a strength. choix finds the likeliest
    strengths; the intervals, of the difference to the anchor, come from the curvature of the likelihood there. That the
    same deals are played by both sides makes them a little wider than they need be.
    """
    try:
        import choix
    except ModuleNotFoundError as error:
        raise BadArena("ratings need choix: pip install 'ridotto[arena]'") from error
    import numpy

    names = _joined(scores, anchor)
    at = {name: i for i, name in enumerate(names)}
    known = {pair: score for pair, score in scores.items() if score.matches and pair[0] in at}
    if len(names) == 1:
        return {anchor: Rating(points, points, points)}
    wins = numpy.zeros((len(names), len(names)))
    for (one, rest), score in known.items():
        shared = (1 + score.matches - score.one - score.rest) / players
        wins[at[one], at[rest]] += (score.one + shared) * (players - 1)
        wins[at[rest], at[one]] += score.rest + shared * (players - 1)
    strengths = choix.ilsr_pairwise_dense(wins, max_iter=100_000, tol=1e-9)
    curvature = numpy.zeros_like(wins)
    for (one, rest), score in known.items():
        i, j = at[one], at[rest]
        odds = numpy.exp(strengths[i] - strengths[j]) / (players - 1)
        sure = (1 + score.matches) * odds / (1 + odds) ** 2
        curvature[[i, j, i, j], [i, j, j, i]] += [sure, sure, -sure, -sure]
    spread = numpy.linalg.inv(curvature[1:, 1:])
    elo = 400 / log(10)
    found = {anchor: Rating(points, points, points)}
    for name in names[1:]:
        i = at[name]
        middle = points + elo * float(strengths[i] - strengths[0])
        half = NORMAL * elo * sqrt(float(spread[i - 1, i - 1]))
        found[name] = Rating(middle, middle - half, middle + half)
    return found


def _joined(scores: Mapping[tuple[str, str], Score], anchor: str) -> list[str]:
    """The anchor, and every bot that matches join it to, directly or not."""
    names = [anchor]
    for name in names:
        for pair, score in scores.items():
            if name in pair and score.matches:
                names += [other for other in pair if other not in names]
    return names


def standing(ledger: Ledger, courses: Sequence[Course], anchor: str | None = None) -> dict[str, Any]:
    """The whole table as plain data. Ratings are relative to the anchor: `greedy` if it plays, else the first bot named."""
    setting, players = ledger.setting, ledger.setting.players
    names = list(dict.fromkeys(name for course in courses for name in (course.pairing.one, course.pairing.rest)))
    anchor = anchor or ("greedy" if "greedy" in names else names[0])
    scores: dict[tuple[str, str], Score] = defaultdict(Score)
    lines = {name: _Line() for name in names}
    pairs = []
    for course in courses:
        results = course.results(ledger)
        for result in results:
            sitting = course.pairing.sitting(result.at, players)
            score = scores[result.one, result.rest]
            score.matches += 1
            score.one += result.share(result.at)
            score.rest += result.rest_share()
            for seat, name in enumerate(sitting):
                lines[name].add(result, seat)
        pairs.append(_pair(setting, course, results))
    rated = ratings(scores, players, anchor)
    return {
        **setting.header(),
        "anchor": anchor,
        "matches": sum(pair["matches"] for pair in pairs),
        "bots": [lines[name].json(name, rated.get(name)) for name in names],
        "pairings": pairs,
    }


@dataclass
class _Line:
    """What one bot did at all its seats."""

    seats: int = 0
    won: float = 0.0
    points: int = 0
    micros: list[int] = field(default_factory=list)
    faults: int = 0

    def add(self, result: Result, seat: Seat) -> None:
        self.seats += 1
        self.won += result.share(seat)
        self.points += result.scores[seat]
        self.micros += result.micros[seat]
        self.faults += sum(fault["seat"] == seat for fault in result.faults)

    def json(self, name: str, rating: Rating | None) -> dict[str, Any]:
        micros = sorted(self.micros)
        return {
            "bot": name,
            "matches": self.seats,
            "win_share": self.won / self.seats if self.seats else None,
            "rating": rating and round(rating.points, 1),
            "interval": rating and [round(rating.low, 1), round(rating.high, 1)],
            "mean_score": self.points / self.seats if self.seats else None,
            "decisions": len(micros),
            "mean_ms": sum(micros) / len(micros) / 1000 if micros else None,
            "p95_ms": micros[ceil(0.95 * len(micros)) - 1] / 1000 if micros else None,
            "max_ms": micros[-1] / 1000 if micros else None,
            "faults": self.faults,
        }


def _pair(setting: Setting, course: Course, results: Sequence[Result]) -> dict[str, Any]:
    """One line of the table of pairings."""
    pairing, test = course.pairing, course.sprt
    shares = [result.share(result.at) for result in results]
    roles = setting.title.roles
    by_seat = []
    for at in pairing.seats:
        here = [share for share, result in zip(shares, results, strict=True) if result.at == at]
        by_seat.append({"seat": at, "role": roles[at] if roles else None, **_share(here)})
    return {
        "one": pairing.one,
        "rest": pairing.rest,
        **_share(shares),
        "rest_share": sum(map(Result.rest_share, results)) / len(results) if results else None,
        "mean_plies": sum(result.plies for result in results) / len(results) if results else None,
        "by_seat": by_seat,
        "sprt": test
        and {
            "low": test.low,
            "high": test.high,
            "ratio": test.ratio(course.shares),
            "bound": test.bound,
            "deals": course.counted,
            "verdict": course.verdict,
        },
    }


def _share(shares: Sequence[float]) -> dict[str, Any]:
    mean = sum(shares) / len(shares) if shares else 0.0
    return {"matches": len(shares), "share": mean if shares else None, "interval": list(wilson(mean, len(shares)))}


def draw(table: Mapping[str, Any], path: Path) -> None:
    """The picture: ratings with their intervals, and who won how much against whom."""
    plt = pictures()
    rated = sorted((line for line in table["bots"] if line["rating"] is not None), key=lambda line: line["rating"])
    names = [line["bot"] for line in reversed(rated)]
    shares = {(pair["one"], pair["rest"]): pair["share"] for pair in table["pairings"] if pair["share"] is not None}
    if table["players"] == 2:
        shares |= {(pair["rest"], pair["one"]): pair["rest_share"] for pair in table["pairings"] if pair["matches"]}
    with plt.rc_context(style(table["game"])):
        figure, (left, right) = plt.subplots(1, 2, figsize=(10, 1.6 + 0.42 * len(names)))
        points = [line["rating"] for line in rated]
        errors = [line["interval"][1] - line["rating"] for line in rated]
        left.errorbar(points, [line["bot"] for line in rated], xerr=errors, fmt="o", color=GOLD, ecolor=WINE, capsize=4)
        left.set_xlabel(f"rating ({table['anchor']} = 1000), 95 %")
        left.set_ylim(-0.5, len(rated) - 0.5)
        grid = [[shares.get((one, rest), float("nan")) for rest in names] for one in names]
        right.imshow(grid, cmap="cividis", vmin=0, vmax=1, aspect="auto")
        for i, one in enumerate(names):
            for j, rest in enumerate(names):
                if (one, rest) in shares:
                    share = shares[one, rest]
                    right.text(j, i, f"{share:.0%}", ha="center", va="center", color="black" if share > 0.5 else "white")
        right.set_xticks(range(len(names)), names, rotation=30, ha="right")
        right.set_yticks(range(len(names)), names)
        right.set_xlabel("against" if table["players"] == 2 else f"one against {table['players'] - 1}")
        figure.suptitle(f"{_game(table['game'], None).title}, {table['players']} seats, {table['matches']:,} matches")
        save(figure, path)
        plt.close(figure)


GOLD: Final = "#b8892f"
WINE: Final = "#6d1f2f"


def style(salt: str) -> Any:
    """How our pictures look."""
    return {"svg.hashsalt": salt, "font.family": "serif", "axes.spines.top": False, "axes.spines.right": False}


def save(figure: Any, path: Path) -> None:
    """Write a picture that is the same for the same figures."""
    figure.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, format="svg", metadata={"Date": None})


def pictures() -> Any:
    """What pictures are drawn with."""
    try:
        import matplotlib
    except ModuleNotFoundError as error:
        raise BadArena("a picture needs matplotlib: pip install 'ridotto[pictures]'") from error
    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    return plt
