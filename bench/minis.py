"""The small boxes, solved: information sets counted twice, the equilibrium by two algorithms, and exploitability curves.

python -m bench.minis [--game fantome] [--out docs/pictures/exploitability.svg] [--openspiel] [--seconds 60]
python -m bench.minis --box small --iterations 256 --seconds 60
python -m bench.minis --box small --only sampling search --kept bench/results/minis-small-fantome.jsonl --out FILE

Both are solved by CFR+, DCFR and our own Monte Carlo CFR in compiled code, for so many seconds of CPU time, and the search is
asked in every information set that its own choices do not rule out. With `--only sampling search` nothing is done but
Monte Carlo CFR and the search, or one of them; the picture then has the other curves of a run that was kept. `tiny` is solved
by a linear program as well, which takes too long in `small`; that one is walked by compiled code. With `--openspiel`, OpenSpiel
counts the information sets of `tiny`, says what our equilibrium is worth and how far it is exploited, and its external- and
outcome-sampling MCCFR run for so many seconds each; that takes some minutes.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy

from ridotto.bots import Budget, find
from ridotto.bots.search import Search
from ridotto.core.view import View
from ridotto.rl.solving import CFR_PLUS, DCFR, Tree, regret_matching, sample_regrets, solve_exactly

PLAYOUTS = (10, 30, 100, 300, 1000)
FIRST_SHOWN = 64
"""After so many iterations of Monte Carlo CFR its policy is looked at, which takes longer than they do."""


def main() -> None:
    parser = argparse.ArgumentParser(description="Solve a small box.")
    parser.add_argument("--game", default="fantome")
    parser.add_argument("--box", default="tiny")
    parser.add_argument("--iterations", type=int, default=1000)
    parser.add_argument("--playouts", type=int, nargs="*", default=PLAYOUTS)
    parser.add_argument("--openspiel", action="store_true")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--only", nargs="+", choices=("search", "sampling"), default=[])
    parser.add_argument("--kept", type=Path, help="what this command has printed before")
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    curves = {} if chosen.kept is None else kept(chosen.kept)
    if not chosen.only:
        curves |= solved(chosen)
    if "sampling" in chosen.only:
        curves |= sampled(chosen, Tree.of(chosen.game, chosen.box, is_compiled=True))
    if not chosen.only or "search" in chosen.only:
        curves["search (playouts)"] = searched(chosen)
    if chosen.out:
        draw(curves, chosen.out)


def kept(path: Path) -> dict[str, list[tuple[float, float]]]:
    """The curves of a run before, from the lines that it printed."""
    curves: dict[str, list[tuple[float, float]]] = {}
    for line in path.read_text("utf-8").splitlines():
        one = json.loads(line)
        if "iterations" in one:
            name = one["algorithm"].removesuffix(" (iterations)")
            curves.setdefault(f"{name} (iterations)", []).append((one["iterations"], one["exploitability"]))
    return curves


def solved(chosen: argparse.Namespace) -> dict[str, list[tuple[float, float]]]:
    """The equilibrium by each algorithm, and the curves of those that come nearer to it."""
    began = time.process_time()
    is_tiny = chosen.box == "tiny"
    tree = Tree.of(chosen.game, chosen.box, is_compiled=not is_tiny)
    say(information_sets=tree.information_sets, nodes=tree.nodes, leaves=tree.leaves, seconds=time.process_time() - began)
    curves: dict[str, list[tuple[float, float]]] = {}
    for algorithm, discounts in (("CFR+", CFR_PLUS), ("DCFR", DCFR)):
        points: list[tuple[float, float]] = []
        curves[f"{algorithm} (iterations)"] = points

        def note(iteration: int, first: Any, second: Any, algorithm: str = algorithm, points: Any = points) -> None:
            found = tree.exploitability(first, second)
            points.append((iteration, found))
            say(algorithm=algorithm, iterations=iteration, value=tree.value(first, second), exploitability=found)

        regret_matching(tree, chosen.iterations, note, discounts)
    uniform = [side.uniform for side in tree.sides]
    say(policy="random", value=tree.value(*uniform), exploitability=tree.exploitability(*uniform))
    walked = Tree.of(chosen.game, chosen.box, is_compiled=True, most_nodes=100_000) if is_tiny else tree
    curves |= sampled(chosen, walked)
    if is_tiny:
        curves |= tiny(chosen, tree)
    return curves


def sampled(chosen: argparse.Namespace, tree: Tree) -> dict[str, list[tuple[float, float]]]:
    """Our own Monte Carlo CFR, in compiled code: one curve for external, one for outcome sampling."""
    curves: dict[str, list[tuple[float, float]]] = {}
    for name, is_external in (("external", True), ("outcome", False)):
        algorithm = f"{name}-sampling MCCFR, ours (iterations)"
        points: list[tuple[float, float]] = []
        curves[algorithm] = points
        sample_regrets(tree, 1, is_external=is_external)  # compiled before the clock runs
        spent, began = 0.0, time.process_time()

        def note(iteration: int, first: Any, second: Any, algorithm: str = algorithm, points: Any = points) -> bool:
            nonlocal spent, began
            spent += time.process_time() - began
            if iteration >= FIRST_SHOWN or spent > chosen.seconds:
                points.append((iteration, tree.exploitability(first, second)))
                say(algorithm=algorithm, iterations=iteration, exploitability=points[-1][1], seconds=spent)
            began = time.process_time()
            return spent > chosen.seconds

        sample_regrets(tree, 1 << 40, note, is_external=is_external)
    return curves


def tiny(chosen: argparse.Namespace, tree: Tree) -> dict[str, list[tuple[float, float]]]:
    """What takes too long on larger boxes: the linear program, and OpenSpiel."""
    value, *best = solve_exactly(tree)
    say(algorithm="linear program", value=value, exploitability=tree.exploitability(*best))
    return openspiel(chosen, tree, best) if chosen.openspiel else {}


def searched(chosen: argparse.Namespace) -> list[tuple[float, float]]:
    """How far the search is exploited with each number of playouts."""
    points: list[tuple[float, float]] = []
    for playouts in chosen.playouts:
        began = time.process_time()
        tree = Tree.of(chosen.game, chosen.box, choose=chances(f"search:{playouts}"))
        value, found = tree.value(*tree.policies), tree.exploitability(*tree.policies)
        points.append((playouts, found))
        seconds = time.process_time() - began
        say(policy=f"search:{playouts}", value=value, exploitability=found, asked=tree.asked, nodes=tree.nodes, seconds=seconds)
    return points


def say(**facts: Any) -> None:
    print(json.dumps({name: round(fact, 6) if isinstance(fact, float) else fact for name, fact in facts.items()}), flush=True)


def chances(name: str) -> Any:
    """How likely a bot that searches is to choose each action in a view; unlike its opinion without the likely reply."""
    bot = find(name)
    assert isinstance(bot, Search)

    def choose(view: View) -> dict[int, float]:
        build, trees, roots, _ = bot._think(view, Budget(1))
        return {one.action: one.share for one in bot._opinion(build, view, trees, roots).ranked}

    return choose


def openspiel(chosen: argparse.Namespace, tree: Tree, best: list[Any]) -> dict[str, list[tuple[float, float]]]:
    """OpenSpiel on the same game: its count, its judgement of our equilibrium, and its own sampling algorithms."""
    from open_spiel.python import policy
    from open_spiel.python.algorithms import (
        expected_game_score,
        exploitability,
        external_sampling_mccfr,
        outcome_sampling_mccfr,
    )

    from ridotto.rl.openspiel import load

    game = load(chosen.game, box=chosen.box, history=1)  # its table keeps a tensor of every information set
    began = time.process_time()
    table = policy.TabularPolicy(game)
    say(
        openspiel="information sets", counted=[len(one) for one in table.states_per_player], seconds=time.process_time() - began
    )
    # The states of the table are those of our information sets: what each seat saw decides both.
    for state, line in zip(table.states, table.action_probability_array, strict=True):
        seat = state.current_player()
        side = tree.sides[seat]
        number = side.keys[key_of(tree, state.node, seat)]
        line[:] = 0
        for i, action in enumerate(side.actions[number]):
            line[action] = best[seat][side.first[number] + i]
    value = expected_game_score.policy_value(game.new_initial_state(), [table, table])
    began = time.process_time()
    say(
        openspiel="our equilibrium",
        value=0.5 + float(value[0]),
        exploitability=exploitability.exploitability(game, table),
        seconds=time.process_time() - began,
    )
    curves = {}
    for name, solver in (
        ("external-sampling MCCFR (iterations)", external_sampling_mccfr.ExternalSamplingSolver(game)),
        ("outcome-sampling MCCFR (iterations)", outcome_sampling_mccfr.OutcomeSamplingSolver(game)),
    ):
        numpy.random.seed(1)
        began, iterations, points = time.process_time(), 0, []
        while time.process_time() - began < chosen.seconds:
            solver.iteration()
            iterations += 1
            if iterations & iterations - 1 == 0:
                points.append((iterations, average(tree, table.states, solver)))
                say(algorithm=name, iterations=iterations, exploitability=points[-1][1])
        curves[name] = points
    return curves


def key_of(tree: Tree, node: Any, seat: int) -> bytes:
    """The key of a state of OpenSpiel in our tree."""
    key = b""
    for past, _ in node.past.chain(seat):
        own = next((action for one, action in past.step if one == seat), None)
        key = tree._next_key(key, seat, list(past.events), own)
    return key


def average(tree: Tree, states: Any, solver: Any) -> float:
    """How far the average policy of one of OpenSpiel's solvers can be exploited."""
    found = solver.average_policy()
    policies = [side.uniform.copy() for side in tree.sides]
    for state in states:
        seat = state.current_player()
        side = tree.sides[seat]
        number = side.keys[key_of(tree, state.node, seat)]
        likely = found.action_probabilities(state, seat)
        for i, action in enumerate(side.actions[number]):
            policies[seat][side.first[number] + i] = likely.get(action, 0.0)
    return tree.exploitability(*policies)


def draw(curves: dict[str, list[tuple[float, float]]], path: Path) -> None:
    """The curves as a picture."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4.2))
    for name, points in curves.items():
        axes.plot([at for at, _ in points], [max(1e-7, found) for _, found in points], "o-", markersize=3, label=name)
    axes.set(
        xscale="log", yscale="log", xlabel="iterations, or playouts a decision", ylabel="exploitability (share of the win)"
    )
    axes.grid(alpha=0.3)
    axes.legend(frameon=False, fontsize=8)
    figure.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    main()
