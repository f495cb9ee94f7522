"""Luck, decisions and turning points over many matches: `python -m bench.luck WHAT GAME [--seats N] …`, one JSON object each.

    zero      the mean luck of every seat over matches of equal quick bots: zero within its error
    account   luck + decisions + rest = result − start, for matches of one bot against itself; the rest on its own
    puzzles   moments in which one decision is clearly best, as `ridotto puzzles` finds them
    adjusted  results of greedy against level:3 with and without luck, for several judges at once
    parts     where the variance of greedy against level:3 comes from: draws, and the choices of each
    turns     decisions that cost much: does the better move hold against the played one, from that very view?

`ridotto arena --adjusted` has its own command. Nothing here needs more than NumPy and Numba.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from statistics import mean, stdev
from typing import Any, Final

from bench.luck_parts import Parts, parts_report
from ridotto import bots
from ridotto.arena import puzzles
from ridotto.arena.board import Board
from ridotto.bots import account, continuations, judging
from ridotto.bots import puzzles as documents
from ridotto.bots.bot import chances_of
from ridotto.bots.setup import MatchSetup, derived_seed
from ridotto.bots.workers import WorkerPool
from ridotto.core.game import Game
from ridotto.core.luck import LuckJudge
from ridotto.core.view import View
from ridotto.engine.arrays import Step
from ridotto.games import GAMES

CHUNK: Final = 2
"""Matches, or deals, of a task."""
THIRDS: Final = 3
"""Parts of a match whose luck is counted by itself."""


def shares(board: Board) -> list[float]:
    """Every seat's share of the win; nobody's, if nobody has won."""
    assert board.outcome is not None
    won = board.outcome.winners
    return [1 / len(won) if seat in won else 0.0 for seat in range(board.players)]


@dataclass(frozen=True)
class Zero:
    """Matches of `greedy` at all seats: what chance brought each seat."""

    setup: MatchSetup
    first: int
    count: int
    playouts: int | None

    def run(self, until: float | None) -> list[list[float]]:
        game, seats = self.setup.game, self.setup.players
        build, judge = game.build("cpu"), LuckJudge(game, seats, self.setup.options, playouts=self.playouts)
        mask, scratch, events = build.mask(), build.scratch(), build.events(muted=True)
        found = []
        for number in range(self.first, self.first + self.count):
            if until is not None and time.monotonic() > until:
                break  # whole tasks are left out then: see `main`
            board = Board(game, seats, self.setup.options, derived_seed("zero", self.setup.seed, number), judge)
            dice = build.generator(derived_seed("policy", self.setup.seed, number))
            while waiting := board.to_act:
                build.rules.legal(board.state.row, waiting[0], mask)
                board.play(waiting[0], int(build.bot.policy(board.state.row, waiting[0], mask, dice, events, scratch)))
            found.append(board.luck)
        return found


@dataclass(frozen=True)
class Accounts:
    """Matches of one bot against itself, each decision judged by another: the account of every seat."""

    setup: MatchSetup
    first: int
    count: int
    bot: str
    judge: str
    checks: int
    playouts: int | None = None
    """Of the judge of luck; None: as many as the game's tuning says."""

    def run(self, until: float | None) -> list[dict[str, list[float]]]:
        game, seats = self.setup.game, self.setup.players
        judge = LuckJudge(game, seats, self.setup.options, playouts=self.playouts)
        found = []
        for number in range(self.first, self.first + self.count):
            if until is not None and time.monotonic() > until:
                break
            seed = derived_seed("account", self.setup.seed, number)
            board = Board(game, seats, self.setup.options, seed, judge)
            seated = [bots.find(self.bot).sit() for _ in range(seats)]
            own, others = [0.0] * seats, [0.0] * seats
            while waiting := board.to_act:
                seat = waiting[0]
                view = board.view(seat)
                action = seated[seat].choose(view, bots.Budget(derived_seed(seed, seat, board.ply)))
                if len(view.legal) > 1:
                    of_judge = derived_seed(seed, "judge", board.ply)
                    judged = judging.judge(
                        view, board.ply, action, self.judge, of_judge, checks=self.checks, with_reasons=False
                    )
                    for one, gain in enumerate(account.decision_gains(judged)):
                        (own if one == seat else others)[one] += gain
                board.play(seat, action)
            result = shares(board)
            found.append({"luck": list(board.luck), "own": own, "others": others, "result": result})
        return found


class Several(LuckJudge):
    """Several judges that look at the same draws: what each says is added up by the third of the match it belongs to."""

    def __init__(self, game: Game, seats: int, options: Any, looks: Sequence[tuple[int, int]]) -> None:
        super().__init__(game, seats, options)
        self.judges = [LuckJudge(game, seats, options, playouts=playouts, ahead=ahead) for playouts, ahead in looks]
        self.sums = [[[0.0] * seats for _ in range(THIRDS)] for _ in looks]
        self.choices = [[0.0] * seats for _ in looks]
        """What bots have drawn to choose, and whose chances are known, brought each seat."""
        self.seconds = [0.0] * len(looks)
        self.ply = 0

    def luck(self, step: Step, draws: Sequence[int]) -> list[tuple[int, tuple[float, ...]]]:
        third = min(THIRDS - 1, THIRDS * self.ply // self.game.tuning.calibration.decisions)
        for number, judge in enumerate(self.judges):
            began = time.thread_time()
            for _, brought in judge.luck(step, draws):
                for seat, luck in enumerate(brought):
                    self.sums[number][third][seat] += luck
            self.seconds[number] += time.thread_time() - began
        return []

    def choice(self, view: View, seated: bots.Bot, action: int, row: Any) -> None:
        """Look at the choice of a bot, if its chances are known."""
        assert view.seat is not None
        chances = chances_of(seated, view)
        if chances is None:
            return
        for number, judge in enumerate(self.judges):
            began = time.thread_time()
            brought = judge.luck_of_choice(judge.action(row, view.seat, action), chances)
            self.choices[number] = [one + more for one, more in zip(self.choices[number], brought, strict=True)]
            self.seconds[number] += time.thread_time() - began


@dataclass(frozen=True)
class Adjusted:
    """A deal of one bot against another, once from each seat: the results, and the luck that several judges see."""

    setup: MatchSetup
    first: int
    count: int
    bots: tuple[str, str]
    looks: tuple[tuple[int, int], ...]
    with_choices: bool = False

    def run(self, until: float | None) -> list[dict[str, Any]]:
        game, seats = self.setup.game, self.setup.players
        found: list[dict[str, Any]] = []
        for deal in range(self.first, self.first + self.count):
            for at in range(seats):
                if until is not None and time.monotonic() > until:
                    return []
                seed = derived_seed("deal", self.setup.seed, deal)
                judge = Several(game, seats, self.setup.options, self.looks)
                board = Board(game, seats, self.setup.options, seed, judge)
                seated = [bots.find(self.bots[seat != at]).sit() for seat in range(seats)]
                while waiting := board.to_act:
                    seat, judge.ply = waiting[0], board.ply
                    view, own = board.view(seat), derived_seed(seed, at, seat, board.ply)
                    action = seated[seat].choose(view, bots.Budget(own))
                    if self.with_choices and len(view.legal) > 1:
                        judge.choice(view, seated[seat], action, board.state.row)
                    board.play(seat, action)
                share = shares(board)[at]
                luck = [[third[at] for third in thirds] for thirds in judge.sums]
                choices = [one[at] for one in judge.choices]
                found.append({"deal": deal, "share": share, "luck": luck, "choices": choices, "seconds": list(judge.seconds)})
        return found


def adjusted_report(found: Sequence[dict[str, Any]], looks: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """For each judge: the mean with and without luck, and the variance ratio, with one coefficient and with one a third."""
    import numpy

    shares = numpy.array([one["share"] for one in found])
    halves = numpy.array([one["deal"] % 2 for one in found])
    report = []
    for number, look in enumerate(looks):
        thirds = numpy.array([one["luck"][number] for one in found])
        line: dict[str, Any] = {"playouts": look[0], "ahead": look[1]}
        line["luck"] = with_error([float(sum(one["luck"][number])) for one in found])
        line["seconds"] = round(mean([one["seconds"][number] for one in found]), 4)
        choices = numpy.array([[one["choices"][number]] for one in found])
        line["choices"] = with_error([float(one["choices"][number]) for one in found])
        together = thirds.sum(axis=1, keepdims=True)
        ways = {"one": together, "thirds": thirds}
        if choices.any():
            ways |= {
                "with_choices": numpy.hstack([together, choices]),
                "thirds_and_choices": numpy.hstack([thirds, choices]),
                "choices_alone": choices,
            }
        for name, columns in ways.items():
            adjusted = shares.copy()
            slopes = []
            for half in (0, 1):
                other = halves != half
                slope = numpy.linalg.lstsq(columns[other], shares[other] - shares[other].mean(), rcond=None)[0]
                adjusted[halves == half] -= columns[halves == half] @ slope
                slopes.append([round(float(one), 3) for one in slope])
            line[name] = {
                "share": with_error(list(map(float, adjusted))),
                "variance_ratio": round(float(adjusted.var() / shares.var()), 4),
                "coefficients": slopes,
            }
        report.append(line)
    return {"matches": len(found), "share": with_error(list(map(float, shares))), "judges": report}


@dataclass(frozen=True)
class Turns:
    """A match of one bot against itself: its costly decisions, and whether what is said to be better holds."""

    setup: MatchSetup
    number: int
    bot: str
    judge: str
    quick: str
    least: float
    pairs: int

    def run(self, until: float | None) -> list[dict[str, Any]]:
        seed = derived_seed("turns", self.setup.seed, self.number)
        board = Board(self.setup.game, self.setup.players, self.setup.options, seed)
        seated = [bots.find(self.bot).sit() for _ in range(self.setup.players)]
        found = []
        while (waiting := board.to_act) and (until is None or time.monotonic() < until):
            view = board.view(waiting[0])
            action = seated[waiting[0]].choose(view, bots.Budget(derived_seed(seed, waiting[0], board.ply)))
            if len(view.legal) > 1:
                judged = judging.judge(view, board.ply, action, self.judge, derived_seed(seed, "judge", board.ply))
                if judged.loss >= self.least and judged.least_loss >= judging.COSTLY:
                    choice = judged.best.action, action
                    better, played = continuations.paired(view, choice, self.quick, self.pairs, seed)
                    found.append(
                        {"match": self.number, "ply": board.ply, "loss": judged.loss, "better": better, "played": played}
                    )
            board.play(waiting[0], action)
        return found


def with_error(values: Sequence[float]) -> list[float]:
    """The mean of some values, and its standard error."""
    return [round(mean(values), 5), round(stdev(values) / len(values) ** 0.5, 5) if len(values) > 1 else 0.0]


def zero_report(lucks: Sequence[Sequence[float]]) -> dict[str, Any]:
    """The mean luck of every seat, with its error."""
    return {"matches": len(lucks), "luck": [with_error([one[seat] for one in lucks]) for seat in range(len(lucks[0]))]}


def account_report(found: Sequence[dict[str, list[float]]], judged_start: Sequence[float]) -> dict[str, Any]:
    """The parts of the account, each with its error; the start is measured in one half of the matches for the other half.

    The start is what a seat may expect if nobody gives anything away: the mean of result − luck − decisions. The rest is told
    twice: from the start that was measured in the *other* half of the matches, and from the one that the judge sees.
    """
    seats = range(len(judged_start))

    def plain(one: dict[str, list[float]], seat: int) -> float:
        return one["result"][seat] - one["luck"][seat] - one["own"][seat] - one["others"][seat]

    halves = [found[0::2], found[1::2]]
    starts = [[mean([plain(one, seat) for one in half]) for seat in seats] for half in halves]
    rests = [[plain(one, seat) - starts[1 - at % 2][seat] for seat in seats] for at, one in enumerate(found)]
    # The sum as the page shows it, from the parts as they are kept.
    faults = [
        abs(starts[1 - at % 2][seat] + one["luck"][seat] + one["own"][seat] + one["others"][seat] + rest - one["result"][seat])
        for at, one in enumerate(found)
        for seat, rest in zip(seats, rests[at], strict=True)
    ]
    return {
        "matches": len(found),
        "largest_fault": max(faults),
        "start_measured": [round(mean([plain(one, seat) for one in found]), 4) for seat in seats],
        "start_judged": [round(share, 4) for share in judged_start],
        "rest": [with_error([rest[seat] for rest in rests]) for seat in seats],
        "rest_spread": [round(stdev([rest[seat] for rest in rests]), 4) for seat in seats],
        "rest_from_judged_start": [with_error([plain(one, seat) - judged_start[seat] for one in found]) for seat in seats],
        **{
            part: [with_error([one[part][seat] for one in found]) for seat in seats]
            for part in ("luck", "own", "others", "result")
        },
        "spread": {
            part: [round(stdev([one[part][seat] for one in found]), 4) for seat in seats] for part in ("luck", "own", "result")
        },
    }


def turns_report(found: Sequence[dict[str, Any]], matches: int) -> dict[str, Any]:
    """In how many of the turning points the better move held."""
    held = [one["better"] > one["played"] for one in found]
    return {
        "matches": matches,
        "turning_points": len(found),
        "held": sum(held),
        "share": round(sum(held) / len(held), 4) if held else None,
        "mean_gain": round(mean([one["better"] - one["played"] for one in found]), 4) if found else None,
        "mean_loss_said": round(mean([one["loss"] for one in found]), 4) if found else None,
        "list": found,
    }


def tasks(options: argparse.Namespace, setup: MatchSetup) -> Iterator[Any]:
    if options.what == "turns":
        for number in range(options.matches):
            yield Turns(setup, number, options.bot, options.judge, options.quick, options.least, options.pairs)
        return
    for first in range(0, options.matches, CHUNK):
        count = min(CHUNK, options.matches - first)
        if options.what == "adjusted":
            yield Adjusted(setup, first, count, ("greedy", "level:3"), tuple(options.look), options.choices)
        elif options.what == "parts":
            yield Parts(setup, first, count, *options.looked)
        elif options.what == "zero":
            yield Zero(setup, first, count, options.playouts)
        else:
            yield Accounts(setup, first, count, options.bot, options.judge, options.checks, options.playouts)


def look(text: str) -> tuple[int, int]:
    """A judge as it is written: its playouts, and how far ahead they go."""
    playouts, _, ahead = text.partition(",")
    return int(playouts), int(ahead)


def deadline(options: argparse.Namespace) -> float | None:
    """When time is up, once everything is compiled."""
    return None if options.minutes is None else time.monotonic() + 60 * options.minutes


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.luck", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("what", choices=["zero", "account", "adjusted", "turns", "parts", "puzzles"])
    parser.add_argument("game", choices=sorted(GAMES))
    parser.add_argument("--seats", type=int)
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--minutes", type=float, help="stop after so long: the matches are counted in order up to there")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--playouts", type=int, help="of the judge of luck (zero, account); the game's own number if not given")
    parser.add_argument(
        "--look", type=look, action="append", default=[], help="playouts,ahead of a judge (adjusted); may be given again"
    )
    parser.add_argument(
        "--looked", type=float, nargs=2, default=[1.0, 0.1], help="which part of draws and choices is looked at (parts)"
    )
    parser.add_argument("--choices", action="store_true", help="look at what bots draw to choose as well (adjusted)")
    parser.add_argument("--bot", default="level:3", help="who plays (account, turns)")
    parser.add_argument("--judge", default="search:200", help="who judges decisions (account, turns)")
    parser.add_argument("--checks", type=int, default=judging.CHECKS, help="pairs of continuations for a loss (account)")
    parser.add_argument("--quick", default="greedy", help="who plays on (turns)")
    parser.add_argument("--least", type=float, default=0.15, help="what a turning point cost at least (turns)")
    parser.add_argument("--pairs", type=int, default=100, help="continuations of each move (turns)")
    parser.add_argument("--points", type=int, default=50, help="turning points that are enough (turns)")
    options = parser.parse_args()
    game = GAMES[options.game]
    setup = MatchSetup(options.game, game.seat_count(options.seats), game.settle(), options.seed)
    done: dict[str, Any] = {}
    if options.what == "puzzles":
        with WorkerPool(options.processes) as pool:
            pool.warm(setup)
            began, until = time.monotonic(), deadline(options)
            found = []
            for puzzle in islice(puzzles.search(setup, options.points, pool, until), options.points):
                found.append(puzzle)
                print(json.dumps(puzzle.json()), file=sys.stderr, flush=True)  # so that whoever is stopped has lost nothing
        json.dump(documents.document(game, found) | {"seconds": round(time.monotonic() - began, 1)}, sys.stdout)
        return
    with WorkerPool(options.processes) as pool:
        pool.warm(setup)
        began, until = time.monotonic(), deadline(options)
        order: dict[int, Any] = {}
        listed = list(tasks(options, setup))
        numbers = {id(task): number for number, task in enumerate(listed)}
        for task, result in pool.run(iter(listed), until):
            order[numbers[id(task)]] = result
            if until is not None and time.monotonic() > until:
                break
            if options.what == "turns" and sum(map(len, order.values())) >= options.points:
                break
    # Count tasks in their order up to the first that is missing: when time is up, short matches would be too many otherwise.
    whole = CHUNK if options.what != "turns" else 0
    complete: list[Any] = []
    matches = 0
    for number, task in enumerate(listed):
        result = order.get(number)
        if result is None or (whole and len(result) < task.count):
            break  # an unfinished one
        complete += result
        matches += 1 if options.what == "turns" else len(result)
    if len(complete) < 4 and options.what != "turns":
        done = {"matches": len(complete)}
    elif options.what == "zero":
        done = zero_report(complete)
    elif options.what == "parts":
        done = parts_report(complete)
    elif options.what == "adjusted":
        done = adjusted_report(complete, options.look)
    elif options.what == "account":
        done = account_report(complete, LuckJudge(game, setup.players, setup.options).start())
    else:
        done = turns_report(complete, matches)
    asked = {"what": options.what, "game": options.game, "seats": setup.players, "seconds": round(time.monotonic() - began, 1)}
    settings = {"bot": options.bot, "judge": options.judge, "seed": options.seed}
    json.dump(asked | settings | done, sys.stdout)
    print()


if __name__ == "__main__":
    main()
