"""The same rules on every target: equal word by word, and never another game's, box's or source's machine code."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ridotto.engine.arrays import Deal, SearchRequest
from ridotto.engine.build import Build
from ridotto.engine.fields import Target

if TYPE_CHECKING:
    from conftest import Setup, Walk

TESTS = Path(__file__).parents[1]
OUTSIDE = TESTS.parent / "examples" / "liars-dice" / "src"
"""Where the package of a game stands that is not ours."""


# Interpreted and compiled.


def test_targets_agree_word_by_word(setup: Setup) -> None:
    """Row, dice, events, legal actions and results are equal after every decision, whatever is asked in between."""
    decisions = 0
    for seed in setup.seeds(90):
        python, cpu = setup.walk("python", seed), setup.walk("cpu", seed)
        for seat, action in python:
            assert everything(python) == everything(cpu), f"seed {seed}"
            cpu.play(seat, action)
            decisions += 1
        assert everything(python) == everything(cpu), f"seed {seed}"
    print(f"{setup}: {decisions} decisions agree")


def everything(walk: Walk) -> dict[str, Any]:
    """What a build says of a row, as plain numbers."""
    rules = walk.build.rules
    scores = []
    for seat in range(walk.seats):
        parts = walk.build.array(len(rules.PARTS), "int16")
        scores.append([int(rules.score(walk.row, seat, parts)), *(int(part) for part in parts)])
    return {
        "row": walk.words(),
        "dice": [int(word) for word in walk.dice],
        "told": walk.told,
        "owing": walk.owing(),
        "legal": [walk.legal(seat) for seat in range(walk.seats)],
        "flags": [int(ask(walk.row)) for ask in (rules.check, rules.ending, rules.winners)],
        "scores": scores,
    }


def test_targets_refuse_redeal_and_choose_the_same(setup: Setup) -> None:
    """The reason for every id, the redealt row of every seat and what the game's bot would do are equal."""
    for seed in setup.seeds(9):
        python, cpu = setup.walk("python", seed), setup.walk("cpu", seed)
        for seat, action in python:
            assert refusals(python) == refusals(cpu)
            assert redealt(python, seed) == redealt(cpu, seed)
            assert chosen(python, seat) == chosen(cpu, seat)
            cpu.play(seat, action)


def refusals(walk: Walk) -> list[int]:
    """The reason for every seat and id."""
    rules = walk.build.rules
    return [int(rules.refuses(walk.row, seat, action)) for seat in range(walk.seats) for action in range(rules.ACTIONS.size)]


def redealt(walk: Walk, seed: int) -> list[list[int]]:
    """The row as every seat, and a spectator, might imagine it."""
    found = []
    for seat in (None, *range(walk.seats)):
        row = walk.masked(seat)
        walk.build.rules.redeal(row, -1 if seat is None else seat, walk.build.generator(seed, 3))
        found.append([int(word) for word in row])
    return found


def chosen(walk: Walk, seat: int) -> int:
    """What the game's bot would do."""
    build, row = walk.build, walk.masked(seat)
    build.rules.legal(row, seat, walk.mask)
    return int(build.bot.policy(row, seat, walk.mask, build.generator(9), build.events(muted=True), build.row()))


def test_targets_search_the_same(setup: Setup) -> None:
    """A search with few playouts finds the same on both."""
    found = []
    for target in ("python", "cpu"):
        walk = setup.walk(target, 2)
        build, seat = walk.build, walk.owing()[0]
        search, masked = build.search, walk.masked(seat)
        belief, settings = build.bot.believe(build, None), [1000, 100, 100, 500, 0]
        request = SearchRequest(masked, walk.masked(None), seat, build.copy(belief, "int64"), build.copy(settings, "int64"))
        tree = build.tree(256, 4096)
        root = search.search(request, 40, tree, build.workspace(build.generator(5)))
        found.append([int(root), [int(word) for word in tree.counters], [float(word) for word in tree.edges]])
    assert found[0] == found[1]


# Whole runs.


def simulate(build: Build, setup: Setup, first: int, games: int) -> list[int]:
    """The tally of a run of random matches."""
    options = build.copy(list(setup.game.settle(dict(setup.options)).values()))
    tally = build.array(build.driver.TALLY_SIZE, "int64")
    tally[build.driver.SHORTEST] = 1 << 30
    build.driver.simulate(build.workspace(), Deal(options, setup.seats, 77), first, games, tally)
    return [int(word) for word in tally]


def test_runs_agree(setup: Setup) -> None:
    """A run of random matches has the same tally on both targets, and in two halves."""
    python, cpu = setup.game.build("python"), setup.game.build("cpu")
    whole = simulate(python, setup, 0, 40)
    assert whole == simulate(cpu, setup, 0, 40)
    halves = [simulate(cpu, setup, 0, 15), simulate(cpu, setup, 15, 25)]
    added = [one + other for one, other in zip(*halves, strict=True)]
    added[python.driver.SHORTEST] = min(half[python.driver.SHORTEST] for half in halves)
    added[python.driver.LONGEST] = max(half[python.driver.LONGEST] for half in halves)
    assert whole == added


def test_a_tally_is_what_the_matches_were(setup: Setup) -> None:
    """The tally of a run is that of the same matches played one by one: lengths, forced decisions, shares, endings."""
    build = setup.game.build("python")
    rules, driver = build.rules, build.driver
    lengths, forced, shares, ends = [], 0, [0.0] * setup.seats, [0] * (1 + len(rules.ENDINGS))
    for number in range(30):
        row, dice, muted, mask = build.row(), build.generator(77, number), build.events(muted=True), build.mask()
        rules.deal(row, setup.seats, list(setup.game.settle(dict(setup.options)).values()), dice, muted)
        length = 0
        while owing := rules.to_act(row):
            seat = next(seat for seat in range(setup.seats) if owing >> seat & 1)
            rules.legal(row, seat, mask)
            legal = [action for action in range(rules.ACTIONS.size) if mask[action // 32] >> action % 32 & 1]
            forced += len(legal) == 1
            rules.apply(row, seat, legal[build.dice.draw(dice, len(legal))], dice, muted)
            length += 1
        lengths.append(length)
        ends[rules.ending(row)] += 1
        won = [seat for seat in range(setup.seats) if rules.winners(row) >> seat & 1]
        for seat in won:
            shares[seat] += 1 / len(won)
    tally = simulate(build, setup, 0, 30)
    assert [sum(lengths), forced, min(lengths), max(lengths)] == tally[: driver.WINS]
    assert pytest.approx(shares) == [share / driver.SHARE for share in tally[driver.WINS :][: setup.seats]]
    assert ends == tally[driver.ENDS :][: len(ends)]


def test_random_play_stops_at_its_limit(setup: Setup, target: Target) -> None:
    """Playing on for a few decisions makes so many, and playing on without a limit ends the match."""
    walk = setup.walk(target, 4)
    build, muted = walk.build, walk.build.events(muted=True)
    assert 2 == build.driver.play_on(walk.row, walk.mask, walk.dice, muted, 2)
    rest = int(build.driver.play_on(walk.row, walk.mask, walk.dice, muted, 1 << 30))
    assert [] == walk.owing()
    whole = setup.walk(target, 4)
    assert rest + 2 == build.driver.play_on(whole.row, whole.mask, whole.dice, muted, 1 << 30)
    assert walk.words() == whole.words()


# The cache.

RUN = """
import json, os, sys, time
from pathlib import Path
from ridotto.engine.arrays import Deal
from ridotto.engine.build import load

answers = []
for wanted in sys.argv[1:]:
    package, _, box = wanted.partition("=")
    begun = time.perf_counter()
    tallies = []
    for target in ("python", "cpu"):
        one = load(package, target, Path(box) if box else None)
        options = one.copy([option.default for option in one.rules.OPTIONS])
        tally = one.array(one.driver.TALLY_SIZE, "int64")
        tally[one.driver.SHORTEST] = 1 << 30
        row, mask, muted, seats = one.row(), one.mask(), one.events(muted=True), one.rules.SEATS[1]
        if "DEALS" in os.environ:
            one.rules.deal(row, seats, options, one.generator(5), muted)
            one.rules.legal(row, 0, mask)
        else:
            one.driver.simulate(one.workspace(), Deal(options, seats, 5), 0, 200, tally)
        tallies.append([int(word) for word in (*tally, *row, *mask)])
    functions = [f for m in (one.dice, one.rules, one.bot, one.driver) for f in vars(m).values() if hasattr(f, "stats")]
    answers.append({
        "python": tallies[0],
        "cpu": tallies[1],
        "folder": str(one.cache),
        "hits": sum(sum(f.stats.cache_hits.values()) for f in functions),
        "misses": sum(sum(f.stats.cache_misses.values()) for f in functions),
        "seconds": round(time.perf_counter() - begun, 2),
    })
print(json.dumps(answers))
"""


def process(code: str, *arguments: str, cache: Path, path: Path = OUTSIDE, **settings: str) -> Any:
    """What a fresh interpreter prints as JSON, with its own cache and without our settings of Numba."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}
    environment |= {"XDG_CACHE_HOME": str(cache), "PYTHONPATH": os.pathsep.join([str(path), str(TESTS.parent)]), **settings}
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], env=environment, capture_output=True, text=True, check=False
    )
    assert 0 == done.returncode, done.stderr
    return json.loads(done.stdout)


def contents(folder: Path) -> dict[str, str]:
    """Every file below a folder, with a digest of what is in it and when it was written."""
    return {
        str(path): f"{hashlib.sha256(path.read_bytes()).hexdigest()} {path.stat().st_mtime_ns}"
        for path in folder.rglob("*")
        if path.is_file()
    }


def pennies(folder: Path, name: str, *changes: tuple[str, str, str]) -> Path:
    """Matching pennies as a package of that name in a folder; a change names a file, and what stands there and is to stand."""
    package = folder / name
    package.mkdir()
    for source in (TESTS / "pennies").glob("*.*"):
        (package / source.name).write_text(source.read_text("utf-8").replace("pennies", name), "utf-8")
    for file, before, after in changes:
        text = (package / file).read_text("utf-8")
        assert before in text
        (package / file).write_text(text.replace(before, after), "utf-8")
    return package


def test_two_games_cold_then_warm_in_the_other_order(tmp_path: Path) -> None:
    """Two games built from nothing, then once more the other way round, are both right, and the second time ready.

    They are as alike as can be: the other one's machine code would run, and be wrong.
    """
    cache = tmp_path / "cache"
    pennies(tmp_path, "same")
    pennies(tmp_path, "different", ("rules.py", "s[F.coin] == s[F.coin + 1]", "s[F.coin] != s[F.coin + 1]"))
    cold = process(RUN, "same", "different", cache=cache, path=tmp_path)
    written = contents(cache)
    warm = process(RUN, "different", "same", cache=cache, path=tmp_path)
    for label, answers in (("cold", cold), ("warm", warm[::-1])):
        print(f"{label}: {[answer['seconds'] for answer in answers]} s")
    for first, second in zip(cold, warm[::-1], strict=True):
        assert first["python"] == first["cpu"] == second["cpu"]
        assert first["folder"] == second["folder"]
        assert first["misses"] > 0 == first["hits"]
        assert second["hits"] > 0 == second["misses"]
    assert cold[0]["cpu"] != cold[1]["cpu"]
    assert cold[0]["folder"] != cold[1]["folder"]
    assert written
    assert written == contents(cache), "a warm start wrote to the cache"
    assert all(str(cache / "ridotto") in path for path in written)


def test_another_source_or_box_is_another_build(tmp_path: Path) -> None:
    """A changed table, in a file the rules only import, and another box each get their own folder and their own results."""
    cache = tmp_path / "cache"
    line = 'OWING: int = BOX["owing"]'
    package = pennies(
        tmp_path,
        "coins",
        ("components.toml", "# Two coins.", "owing = 3"),
        ("components.py", "box(__file__)", f"box(__file__)\n{line}"),
        ("rules.py", "from ridotto.engine.build", "from coins.components import OWING\nfrom ridotto.engine.build"),
        ("rules.py", "s[F.owes] = 3", "s[F.owes] = OWING"),
    )

    def deal(*wanted: str) -> Any:
        # Python's own .pyc files go by size and time: they would hide the change from the interpreted rules.
        return process(RUN, *wanted, cache=cache, path=tmp_path, DEALS="1", PYTHONDONTWRITEBYTECODE="1")

    (before,) = deal("coins")

    # The change keeps the size and the time of the file, so that only its content can tell.
    source = package / "components.py"
    text, stat = source.read_text("utf-8"), source.stat()
    changed = text.replace(line, "OWING: int = 1".ljust(len(line)))
    source.write_text(changed, "utf-8")
    os.utime(source, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    (after,) = deal("coins")

    box = tmp_path / "box.toml"
    box.write_text("owing = 2\n", "utf-8")
    source.write_text(text, "utf-8")
    os.utime(source, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    boxed, again = deal(f"coins={box}", "coins")

    for answer in (before, after, boxed, again):
        assert answer["python"] == answer["cpu"]
    assert 3 == len({tuple(answer["cpu"]) for answer in (before, after, boxed)})
    assert 3 == len({answer["folder"] for answer in (before, after, boxed)})
    assert (before["cpu"], before["folder"]) == (again["cpu"], again["folder"])
    assert 0 == again["misses"]
    print([answer["seconds"] for answer in (before, after, boxed, again)])


CHECKED = """
import json
from ridotto.engine.build import load

one = load("liars_dice", "cpu")
try:
    one.rules.to_act(one.array(1, "int16"))
    caught = False
except IndexError:
    caught = True
print(json.dumps([str(one.cache), caught]))
"""


def test_bounds_checks_are_another_build(tmp_path: Path) -> None:
    """With NUMBA_BOUNDSCHECK=1 the rules are compiled anew, in another folder, and a wrong index is caught."""
    folder = process(
        "import json, ridotto.engine.build as k; print(json.dumps(str(k.load('liars_dice', 'cpu').cache)))", cache=tmp_path
    )
    checked, caught = process(CHECKED, cache=tmp_path, NUMBA_BOUNDSCHECK="1")
    assert folder != checked
    assert caught


RACE = """
import json, threading, time
import numba
from ridotto.engine.build import load

njit, found = numba.njit, []


def slowly(**options):
    # Whoever marks a function lets the other thread mark one first.
    mark = njit(**options)
    return lambda function: (time.sleep(0.001), mark(function))[1]


numba.njit = slowly
packages = ("liars_dice", "ridotto.games.fantome")
threads = [threading.Thread(target=lambda package=one: found.append(load(package, "cpu"))) for one in packages]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
strays = []
for one in found:
    for module in (one.dice, one.rules, one.bot, one.driver, one.search):
        for function in vars(module).values():
            if hasattr(function, "py_func") and str(one.cache) not in function._cache.cache_path:
                strays.append(f"{one.game}: {function.__name__} in {function._cache.cache_path}")
print(json.dumps([len(found), sorted(set(strays))]))
"""


def test_two_threads_may_build_at_once(tmp_path: Path) -> None:
    """Two games loaded by two threads at the same time each cache in their own folder."""
    assert [2, []] == process(RACE, cache=tmp_path)


# Starting up.


@pytest.mark.parametrize("module", ["ridotto", "ridotto.cli"])
def test_start_up_is_light(module: str, tmp_path: Path) -> None:
    """Importing the package or its command line loads neither NumPy nor Numba."""
    begun = time.perf_counter()
    loaded = process(f"import {module}, json, sys; print(json.dumps(sorted(sys.modules)))", cache=tmp_path)
    print(f"python -c 'import {module}': {time.perf_counter() - begun:.2f} s")
    assert module in loaded
    assert set() == {"numpy", "numba", "llvmlite"} & set(loaded)
