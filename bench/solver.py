"""How strong the solver is, and how much it can be exploited: the figures of docs/solver.md.

python -m bench.solver arena --one solver:900ms --rest search-0.1:10000 --matches 300 --out FILE
python -m bench.solver variants "now" "plain:JUDGED_CARDS=()" --deals 150 --out FILE

A variant is a name and settings of the module `ridotto.games.fantome.ai.solver`; all play on the same deals, in both roles.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from ast import literal_eval
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy

from ridotto import bots
from ridotto.arena.ledger import Ledger, Result
from ridotto.arena.schedule import Pairing, TournamentSettings
from ridotto.arena.tournament import PairingProgress, play_match, run_tournament
from ridotto.bots.bot import Budget
from ridotto.bots.setup import derived_seed
from ridotto.bots.workers import WorkerPool
from ridotto.core.match import Match
from ridotto.core.state import State
from ridotto.games import find
from ridotto.games.fantome.ai.board import board_of
from ridotto.games.fantome.ai.solving.boards import CARDS_AT, PIECES, place_board, player_of
from ridotto.games.fantome.ai.solving.tree import INSPECTOR_DRAWS, NO_DRAW, PHANTOM_DRAWS
from ridotto.games.fantome.ai.solving.values import positions
from ridotto.games.fantome.rules import PHANTOM, RAOUL, F

GAME = "fantome"
PACKAGE = "ridotto.games.fantome"


def warm() -> None:
    """Compile everything once, so that workers find it in the cache: in a match that is played to its end."""
    match = Match(find(GAME), seed=1)
    players = [bots.find(name).sit() for name in ("search-0.1:10", "solver:2")]
    while match.to_act:
        seat = match.to_act[0]
        for player in players[::-1] if seat == PHANTOM else players:
            action = player.choose(match.view(seat), Budget(match.ply))
        match.play(action, seat)


def shares(results: Sequence[Result], seat: int | None = None) -> tuple[float, float, int]:
    """The share of the wins of `one`, half the width of its 95 % interval, and the matches; in one role or in both."""
    won = [one.share(one.at) for one in results if seat is None or one.at == seat]
    mean = sum(won) / max(1, len(won))
    return mean, 1.96 * (mean * (1 - mean) / max(1, len(won))) ** 0.5, len(won)


def arena(one: str, rest: str, matches: int, minutes: float | None, workers: int, out: Path | None, seed: int) -> None:
    """Play matches, each deal in both roles, and print the shares of the wins."""
    game = find(GAME)
    settings = TournamentSettings(GAME, 2, game.settle(None), seed)
    progress = PairingProgress.of(Pairing(one, rest, (0, 1)), matches)
    ledger = Ledger(settings, out)
    until = None if minutes is None else time.monotonic() + 60 * minutes
    warm()
    with WorkerPool(workers) as pool:
        run_tournament(ledger, [progress], pool, until)
    results = [*ledger.results.values()]
    for seat, role in ((None, "both roles"), (0, "inspector"), (1, "phantom")):
        mean, width, count = shares(results, seat)
        print(f"{one} against {rest}, {role}: {100 * mean:.1f} % ± {100 * width:.1f} of {count}")
    for name, other in ((one, 0), (rest, 1)):
        times = sorted(micros for r in results for micros in r.micros[r.at ^ other])
        if times:
            print(f"{name}: median {times[len(times) // 2] / 1e6:.3f} s a decision, most {times[-1] / 1e6:.3f} s")
    ledger.close()


# Variants of the solver.


def settings_of(variant: str) -> tuple[str, dict[str, Any]]:
    """The name of a variant, and what it sets: `plain:JUDGED_CARDS=()` or only `now`."""
    name, _, rest = variant.partition(":")
    pairs = (one.split("=") for one in rest.split(";") if one)
    return name, {key: literal_eval(value) for key, value in pairs}


def play_variant(task: tuple[str, str, str, int, int, int]) -> dict[str, Any]:
    """One match of a variant at a seat: who won, and the CPU time of both bots."""
    variant, bot, rest, seed, deal, at = task
    game = find(GAME)
    solver: Any = game.build("cpu").extend(f"{PACKAGE}.ai.solver")
    name, settings = settings_of(variant)
    before = {key: getattr(solver, key) for key in settings}
    vars(solver).update(settings)
    try:
        result = play_match(TournamentSettings(GAME, 2, game.settle(None), seed), Pairing(bot, rest, (0, 1)), deal, at)
    finally:
        vars(solver).update(before)
    seconds = [round(sum(result.micros[seat]) / 1e6, 2) for seat in (at, 1 - at)]
    most = round(max(result.micros[at]) / 1e6, 2)
    return {"one": name, "rest": rest, "deal": deal, "at": at, "won": int(result.share(at)), "seconds": seconds, "most": most}


def with_width(found: Iterable[float]) -> str:
    """A mean in points of a hundred, half the width of its 95 % interval, and the number."""
    some = [100 * one for one in found]
    mean = sum(some) / max(1, len(some))
    return f"{mean:.1f} ± {1.96 * sum((one - mean) ** 2 for one in some) ** 0.5 / max(1, len(some)):.1f} of {len(some)}"


def compare(results: Sequence[dict[str, Any]]) -> list[str]:
    """Lines about each variant, and about each one after the first against the first, on the deals of both."""
    names = list(dict.fromkeys(one["one"] for one in results))
    won = {name: {(one["deal"], one["at"]): one["won"] for one in results if one["one"] == name} for name in names}
    roles = ((0, 1), "both"), ((0,), "inspector"), ((1,), "phantom")
    lines = []
    for name in names:
        parts = [f"{role} {with_width(v for (_, at), v in won[name].items() if at in seats)}" for seats, role in roles]
        mine = [one for one in results if one["one"] == name]
        own, other = (sum(one["seconds"][i] for one in mine) / len(mine) for i in range(2))
        late = sum(one["most"] > 1 for one in mine)
        lines.append(f"{name}: {', '.join(parts)}; {own:.1f} s a match, the other {other:.1f} s; over 1 s in {late}")
    for name in names[1:]:
        both = [key for key in won[names[0]] if key in won[name]]
        gains = {key: won[name][key] - won[names[0]][key] for key in both}
        parts = [f"{role} {with_width(v for (_, at), v in gains.items() if at in seats)}" for seats, role in roles]
        better, worse = (sum(gain == sign for gain in gains.values()) for sign in (1, -1))
        lines.append(f"{name} less {names[0]}, paired: {', '.join(parts)}; {better} better, {worse} worse")
    return lines


def variants(
    names: Sequence[str],
    bot: str,
    rest: str,
    tables: Iterable[tuple[int, int]],
    seed: int,
    minutes: float,
    workers: int,
    out: Path,
) -> None:
    """Play variants of the solver against one opponent, all on the same deals and seats, and compare them."""
    until = time.monotonic() + 60 * minutes
    warm()
    tasks = [(name, bot, rest, seed, deal, at) for deal, at in tables for name in names]
    done: list[dict[str, Any]] = []
    with get_context("spawn").Pool(workers) as pool, out.open("a") as file:
        for one in pool.imap_unordered(play_variant, tasks):
            done.append(one)
            file.write(json.dumps(one) + "\n")
            file.flush()
            if time.monotonic() > until:
                pool.terminate()
                break
    print(*compare(done), sep="\n")


# Best responses.

STARTS = 100
"""Fixed beginnings of rounds: half of them even, where the phantom opens, half odd, where the inspector does."""
SEEDS = 32
REFERENCE, SUBGAME, OURS = 400, 120, 100
"""Iterations of the solution that all are measured by, of those after an opening card, and of the solver as it plays."""


@cache
def tools() -> tuple[Any, Any, Any, Any]:
    """The compiled build of the game, its solver, its solutions, and the table of values."""
    build = find(GAME).build("cpu")
    solver: Any = build.extend(f"{PACKAGE}.ai.solver")
    return build, solver, build.extend(f"{PACKAGE}.ai.solving.solution"), solver._values()[0]


def starts() -> list[Any]:
    """The fixed beginnings of rounds, even ones and odd ones in turn, from matches of the game's own policy."""
    build = tools()[0]
    kinds: tuple[list[Any], list[Any]] = [], []
    for row in positions(build, 200, 2020):
        if row[F.round] > 1 and int(row[F.suspects]).bit_count() > 2:
            kinds[row[F.round] & 1].append(row)
    return [kinds[i % 2][i // 2] for i in range(STARTS)]


def opening(bot: str, row: Any, seat: int, seed: int) -> int:
    """The board that a bot's first card leads to, with the cards to come."""
    build = tools()[0]
    game, rules = find(GAME), build.rules
    row, dice, muted, player = build.copy(row), build.generator(seed), build.events(muted=True), bots.find(bot).sit()
    cards, played = int(row[F.offered]), int(row[F.played])
    ply = 0
    while rules.to_act(row) == 1 << seat and row[F.played] == played and row[F.ending] == 0:
        view = State(game, build, 2, row).view(seat, ply, ())
        action = player.choose(view, Budget(derived_seed("opening", seed, ply)))
        rules.apply(row, seat, action, dice, muted)
        if ply == 0:
            cards &= ~(1 << action)
        ply += 1
    return int(board_of(row)) & PIECES | cards << CARDS_AT


def after(row: Any, final: int, belief: Any) -> Any:
    """The values of all suspects when the first card has led to a board, by solving the rest of the round."""
    build, _, solving, table = tools()
    after_card = build.copy(row)
    place_board(after_card, final)
    after_card[F.played] += 1
    drawn = NO_DRAW
    if (row[F.offered] & ~after_card[F.offered]) >> RAOUL & 1:
        drawn = PHANTOM_DRAWS if player_of(row, 0) == PHANTOM else INSPECTOR_DRAWS
    solution = solving.Solution(build, after_card, belief, table, None, drawn)
    solution.run(SUBGAME)
    return solution.values


def gain_at(number: int, bot: str) -> dict[str, Any]:
    """What a best responder gains from a bot's first card in one of the fixed rounds, and what the card itself loses.

    Half of the seeds tell the responder how the phantom chooses; the other half is what it meets. Of the solver the mixture is
    known as it is.
    """
    build, solver, solving, table = tools()
    row = starts()[number]
    seat = 1 - (int(row[F.round]) & 1)
    reference = solving.Solution(build, row, numpy.ones(8), table)
    reference.run(REFERENCE)
    value = float(reference.values @ reference.prior)
    suspects = reference.suspects
    kinds = suspects if seat == PHANTOM else suspects[:1]
    told: dict[int, Any] = {}
    met: dict[int, Any] = {}
    if bot.startswith("solver"):
        view = State(find(GAME), build, 2, row).view(seat, 0, ())
        plan = solver.think(build, view, {}, solver.Clock(OURS, None)).plan
        choices = plan.nodes[0]
        players = range(len(suspects)) if seat == PHANTOM else [None]
        played = numpy.stack([solver.intended(plan, choices, me)[0] for me in players], axis=1)
        met = {final: played[choice] for final, choice in choices.keys.items()}
        told = met
        kinds = []
    for i, who in enumerate(kinds):
        world = build.copy(row)
        world[F.identity], world[F.held] = who, -1
        build.rules.redeal(world, -1, build.generator(number))
        for seed in range(SEEDS):
            where = told if seed % 2 == 0 else met
            final = opening(bot, world, seat, derived_seed(number, who, seed))
            where.setdefault(final, numpy.zeros(len(kinds)))[i] += 2 / SEEDS
    best = reference.responses(PHANTOM)
    tree = reference.tree
    at = {int(final): int(child) for final, child in zip(tree.finals[: tree.first[1]], tree.children, strict=False)}
    most = max(float(v) for v in (best[list(at.values())] @ reference.prior)) if seat == PHANTOM else 0.0
    gain = loss = 0.0
    for final, shares in met.items():
        if shares.max() < 1e-3:
            continue
        if seat == PHANTOM:
            # Seen seldom, a card may still be anybody's: a little of every suspect is added.
            known = told.get(final, 0 * shares) + (0.0 if bot.startswith("solver") else 1 / SEEDS)
            belief = numpy.zeros(8)
            belief[suspects] = reference.prior * (known if known.sum() > 0 else 1)
            gain -= float((reference.prior * shares) @ after(row, final, belief))
            if final in at:
                top = best[list(at.values())].max(axis=0)
                loss += float((reference.prior * shares) @ (top - best[at[final]]))
        else:
            gain += float(shares[0] * (after(row, final, numpy.ones(8)) @ reference.prior))
    gain += value if seat == PHANTOM else -value
    return {"start": number, "bot": bot, "seat": seat, "gain": gain, "loss": loss, "value": value, "most": most}


def exploit(names: Sequence[str], count: int, workers: int, out: Path, minutes: float | None) -> None:
    """The best responder's gain for each bot and role; results that the file has already are kept."""
    done = [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []
    known = {(one["start"], one["bot"]) for one in done}
    tasks = [(number, bot) for bot in names for number in range(count) if (number, bot) not in known]
    until = None if minutes is None else time.monotonic() + 60 * minutes
    with get_context("spawn").Pool(workers) as pool, out.open("a") as file:
        for one in pool.imap_unordered(_gain, tasks):
            done.append(one)
            file.write(json.dumps(one) + "\n")
            file.flush()
            if until is not None and time.monotonic() > until:
                pool.terminate()
                break
    for bot in names:
        for seat, role in ((0, "inspector"), (1, "phantom")):
            for what in ("gain", "loss") if seat else ("gain",):
                found = [100 * one[what] for one in done if one["bot"] == bot and one["seat"] == seat]
                if found:
                    mean = sum(found) / len(found)
                    width = 1.96 * (sum((x - mean) ** 2 for x in found) / len(found) ** 2) ** 0.5
                    print(f"{bot} as {role}: {what} {mean:.2f} ± {width:.2f} points in 100, {len(found)} rounds")


def _gain(task: tuple[int, str]) -> dict[str, Any]:
    return gain_at(*task)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("warm")
    command = commands.add_parser("arena")
    command.add_argument("--one", default="solver:900ms")
    command.add_argument("--rest", default="search-0.1:10000")
    command.add_argument("--matches", type=int, default=300)
    command.add_argument("--minutes", type=float)
    command.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    command.add_argument("--seed", type=int, default=20)
    command.add_argument("--out", type=Path)
    command = commands.add_parser("variants")
    command.add_argument("variants", nargs="+")
    command.add_argument("--one", default="solver:900ms")
    command.add_argument("--rest", default="search-0.1:10000")
    command.add_argument("--deals", type=int, default=150)
    command.add_argument("--first", type=int, default=0)
    command.add_argument("--seats", type=int, nargs="+", default=[0, 1])
    command.add_argument("--minutes", type=float, default=9)
    command.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    command.add_argument("--seed", type=int, default=20)
    command.add_argument("--out", type=Path, required=True)
    command = commands.add_parser("compare")
    command.add_argument("file", type=Path)
    command = commands.add_parser("exploit")
    command.add_argument("--bots", default="search-0.1:1000,search-0.1:10000,solver")
    command.add_argument("--starts", type=int, default=STARTS)
    command.add_argument("--minutes", type=float)
    command.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    command.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    if asked.command == "warm":
        warm()
    elif asked.command == "arena":
        arena(asked.one, asked.rest, asked.matches, asked.minutes, asked.workers, asked.out, asked.seed)
    elif asked.command == "variants":
        tables = product(range(asked.first, asked.first + asked.deals), asked.seats)
        variants(asked.variants, asked.one, asked.rest, tables, asked.seed, asked.minutes, asked.workers, asked.out)
    elif asked.command == "compare":
        print(*compare([json.loads(line) for line in asked.file.read_text().splitlines()]), sep="\n")
    elif asked.command == "exploit":
        exploit(asked.bots.split(","), asked.starts, asked.workers, asked.out, asked.minutes)


if __name__ == "__main__":
    main()
