"""Whole matches as they were once played and confirmed: they must replay to the same row, events and outcome for ever.

Each line of `golden/GAME.jsonl` is a match: its name, its record, a short digest for every ply, and a digest over all
events. `python tests/games/test_golden.py --make GAME` plays those of the present rules version afresh and leaves older ones
as they are. It writes nothing unless the independent model of the game has agreed with every ply of every new match.
"""

from __future__ import annotations

import importlib.util
import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ridotto.core import record
from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.engine.digest import digest
from ridotto.games import GAMES
from ridotto.present import views
from ridotto.present.ui import english

GOLDEN = Path(__file__).parents[1] / "golden"
ENOUGH = {"fantome": {1: 300}, "opera": {1: 100, 2: 25}, "turandot": {1: 120}, "liars_dice": {1: 60}}
"""Golden matches of each game, by version of the rules."""
MISSING: dict[str, dict[str, str]] = {}
"""Endings without a golden match, by game, with the reason."""


def steps(match: Match) -> Iterator[tuple[Match, Any]]:
    """A match played once more from its log: after each entry, where it stands and what the entry told."""
    again = Match(match.game, match.seats, match.options, deal=match.entries[0], version=match.version)
    told = 0
    for ply in range(match.ply):
        if ply:
            again.repeat(match.entries[ply])
        news = [[one.event.name, *one.values] for one in again.events[told:]]
        told = len(again.events)
        yield again, news


def digests(match: Match) -> tuple[str, str]:
    """Four characters for every ply: of its row, its events, who is to act and what is legal then.

    And a digest over all events, as every seat and a spectator are told them.
    """
    plies: list[str] = []
    told: list[Any] = [[]]
    for again, news in steps(match):
        legal = [list(again.legal(seat)) for seat in again.to_act]
        plies.append(digest([again.row, news, list(again.to_act), legal])[:4])
        told[0].append(news)
    for seat in (*range(match.seats), None):
        told.append(
            [
                [one["ply"], one["event"], one["section"], one["args"]]
                for one in views.events(match.view(seat), english(match.game))
            ]
        )
    return "".join(plies), digest(told)


def golden(match: Match, name: str) -> dict[str, Any]:
    """What is kept of a match."""
    plies, events = digests(match)
    return {
        "name": name,
        "record": record.write(match),
        "row": match.row,
        "plies": plies,
        "events": events,
    }


@cache
def kept(game: str) -> dict[str, dict[str, Any]]:
    """The golden matches of a game by name."""
    path = GOLDEN / f"{game}.jsonl"
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []
    return {line["name"]: line for line in lines}


def of_this_version(game: str) -> list[dict[str, Any]]:
    """The golden matches that were played by the present rules."""
    return [line for line in kept(game).values() if line["record"]["rules"] == GAMES[game].version]


def difference(line: dict[str, Any], match: Match) -> str | None:
    """Where a replayed match departs from what was kept, or None."""
    now, events = digests(match)
    for ply in range(match.ply):
        if line["plies"][4 * ply : 4 * ply + 4] != now[4 * ply : 4 * ply + 4]:
            return (
                f"{line['name']}: first differs at ply {ply}, after {match.entries[ply].do!r} by seat {match.entries[ply].seat}"
            )
    if line["plies"] != now:
        return f"{line['name']}: {len(line['plies']) // 4} plies are kept, {match.ply} were replayed"
    if line["row"] != match.row:
        return f"{line['name']}: the final row differs"
    if line["events"] != events:
        return f"{line['name']}: the events as the seats are told them differ"
    return None


def replayed(line: dict[str, Any]) -> str | None:
    """What is wrong with the replay of a golden match, or None."""
    try:
        match, _ = record.read(line["record"], GAMES)
    except record.BadRecord as error:
        return f"{line['name']}: {error}"
    if line["record"]["result"] != (match.outcome.json() if match.outcome else None):
        return f"{line['name']}: the outcome differs"
    return difference(line, match)


@pytest.mark.parametrize("game", GAMES)
def test_golden_matches_replay(game: str) -> None:
    """Every golden match replays to the same row, events and outcome; a failure names the match and its first odd ply."""
    failures = [failure for line in kept(game).values() if (failure := replayed(line))]
    assert [] == failures
    versions = Counter(line["record"]["rules"] for line in kept(game).values())
    assert list(ENOUGH[game]) == list(range(1, GAMES[game].version + 1))
    assert all(versions[version] >= enough for version, enough in ENOUGH[game].items())


@pytest.mark.parametrize("game", GAMES)
def test_every_ending_has_a_golden_match(game: str) -> None:
    """There is a golden match for every line of the table of endings, for resigning, and for what is taken back."""
    lines = of_this_version(game)
    endings = Counter(line["record"]["result"]["ending"] for line in lines)
    wanted = {line.name for line in GAMES[game].rules.ENDINGS} - set(MISSING.get(game, {}))
    assert set() == wanted - set(endings)
    assert endings["resigned"]
    assert any(entry["do"].startswith("undo") for line in lines for entry in line["record"]["entries"])


@pytest.mark.parametrize("game", GAMES)
def test_every_setup_has_a_golden_match(game: str) -> None:
    """Every number of seats and every value of every option was played."""
    found = {("seats", line["record"]["seats"]) for line in of_this_version(game)}
    found |= {pair for line in of_this_version(game) for pair in line["record"]["options"].items()}
    wanted = {("seats", seats) for seats in GAMES[game].seats}
    wanted |= {(one.name, value) for one in GAMES[game].rules.OPTIONS for value in range(one.low, one.high + 1)}
    assert set() == wanted - found


@pytest.mark.parametrize("game", GAMES)
def test_golden_matches_are_small(game: str) -> None:
    """The golden matches of a game stay below three megabytes."""
    assert (GOLDEN / f"{game}.jsonl").stat().st_size < 3_000_000


def test_a_difference_is_named() -> None:
    """A changed ply, row or event digest is found, and the first differing ply is named with its action."""
    line = max(kept("fantome").values(), key=lambda one: len(one["plies"]))
    ply = 7
    entry = line["record"]["entries"][ply]
    changed = line["plies"][: 4 * ply] + "zzzz" * (len(line["plies"]) // 4 - ply)
    expected = f"{line['name']}: first differs at ply 7, after {entry['do']!r} by seat {entry['seat']}"
    assert expected == replayed(line | {"plies": changed})
    assert f"{line['name']}: the final row differs" == replayed(line | {"row": [0, *line["row"][1:]]})
    assert f"{line['name']}: the events as the seats are told them differ" == replayed(line | {"events": "0" * 64})
    entries = [one | {"do": "pick raoul"} if one["ply"] == ply else one for one in line["record"]["entries"]]
    broken = replayed(line | {"record": line["record"] | {"entries": entries}})
    assert broken is not None and f"{line['name']}: entry at ply 7 " in broken


def test_nothing_is_made_that_the_model_denies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With one rule broken, here La Carlotta's steps, the maker stops at the disagreement and leaves the file alone."""
    monkeypatch.setattr(sys.modules[__name__], "GOLDEN", tmp_path)
    rules: Any = GAMES["fantome"].rules
    before = rules.step

    def too_far(s: list[int], can: int, told: list[int]) -> None:
        before(s, 1, told)

    monkeypatch.setattr(rules, "step", too_far)
    with pytest.raises(AssertionError, match=r"fantome-1-\d+, ply \d+, after '.*': .*carlotta"):
        make("fantome")
    assert [] == list(tmp_path.iterdir())


# Making them.


def confirmed_by(game: str) -> Callable[[Match, str], int]:
    """What holds a match of this game against an independent model, and raises where they disagree."""
    found: Callable[[Match, str], int] = importlib.import_module(f"games.{game}.test_{game}_agrees").confirm
    return found


def played(game: Game, number: int) -> Match:
    """A random match: seats in turn, any options; a tenth resigned under way, a tenth with entries taken back."""
    chooser = random.Random(f"golden {game.name} {number}")
    seats = game.seats[number % len(game.seats)]
    options = {one.name: chooser.randint(one.low, one.high) for one in game.rules.OPTIONS}
    match = Match(game, seats, options, seed=chooser.getrandbits(64), clock=lambda: 0.0)
    resigns_at = chooser.randrange(2, 40) if number % 10 == 0 else None
    undone = 0
    while match.to_act:
        if match.ply == resigns_at:
            match.resign(chooser.randrange(seats))
        elif number % 10 == 1 and undone < 3 and match.ply > 4 and chooser.random() < 0.1:
            match.undo()
            undone += 1
        else:
            seat = chooser.choice(match.to_act)
            match.play(chooser.choice(match.legal(seat)), seat)
    return match


def make(name: str) -> None:
    """Write the golden matches of a game: random ones, and as many more as it takes to see each ending five times."""
    game = GAMES[name]
    enough = ENOUGH[name][game.version]
    confirm = confirmed_by(name)
    wanted = {line.name: 5 for line in game.rules.ENDINGS if line.name not in MISSING.get(name, {})}
    lines = [line for line in kept(name).values() if line["record"]["rules"] < game.version]
    seen: Counter[str] = Counter()
    number = decisions = 0
    while seen.total() < enough or any(seen[ending] < times for ending, times in wanted.items()):
        match = played(game, number)
        assert match.outcome is not None
        ending = match.outcome.ending
        if seen.total() < enough or seen[ending] < wanted.get(ending, 0):
            title = f"{name}-{game.version}-{number}"
            decisions += confirm(match, title)
            seen[ending] += 1
            lines.append(golden(match, title))
        number += 1
    text = "".join(json.dumps(line, separators=(",", ":"), ensure_ascii=False) + "\n" for line in lines)
    GOLDEN.mkdir(exist_ok=True)
    (GOLDEN / f"{name}.jsonl").write_text(text, "utf-8")
    print(f"{seen.total()} matches, {decisions} decisions confirmed by the model: {dict(seen)}")


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    if len(sys.argv) != 3 or sys.argv[1] != "--make" or sys.argv[2] not in GAMES:
        sys.exit(f"usage: python tests/games/test_golden.py --make {'|'.join(GAMES)}")
    make(sys.argv[2])
