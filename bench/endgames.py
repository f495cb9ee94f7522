"""The endgames of the games, made and confirmed.

python -m bench.endgames GAME              write fifty endgames into the folder of a game
python -m bench.endgames GAME --confirm    OpenSpiel solves the same states: needs cvxpy and ecos besides

OpenSpiel's sequence-form linear program works out the value of every position, and its counts are compared with ours.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import asdict
from itertools import islice
from pathlib import Path

from ridotto.games import find
from ridotto.rl.endgames import NUMBER, Endgame, load, search


def main() -> None:
    parser = argparse.ArgumentParser(description="Make or confirm the endgames of a game.")
    parser.add_argument("game")
    parser.add_argument("--confirm", action="store_true")
    parser.add_argument("--first", type=int, default=0, help="the first that is confirmed")
    parser.add_argument("--number", type=int, default=NUMBER)
    parser.add_argument("--out", type=Path, help="where they are written, instead of the folder of the game")
    chosen = parser.parse_args()
    began = time.process_time()
    if chosen.confirm:
        endgames = load(chosen.game)[chosen.first : chosen.first + chosen.number]
        worst = 0.0
        for number, endgame in enumerate(endgames, chosen.first):
            value, sets = by_openspiel(endgame)
            worst = max(worst, abs(value - endgame.value))
            agrees = abs(value - endgame.value) < 1e-5 and sets == endgame.information_sets
            print(
                json.dumps({"number": number, "ours": endgame.value, "theirs": value, "sets": sets, "agrees": agrees}),
                flush=True,
            )
        print(f"{len(endgames)} endgames of {chosen.game}; largest difference {worst:.2e}; {time.process_time() - began:.0f} s")
    else:
        game = find(chosen.game)
        found: list[Endgame] = []
        for endgame in islice(search(game), chosen.number):
            found.append(endgame)
            write(found, chosen.out or game.folder / "endgames.json")
            print(len(found), endgame.nodes, endgame.information_sets, endgame.is_hidden, endgame.value, flush=True)
        print(f"{len(found)} endgames; {time.process_time() - began:.0f} s of CPU time")


def write(endgames: list[Endgame], path: Path) -> None:
    """Write endgames of one game into a file, a line each."""
    game = find(endgames[0].game)
    head = json.dumps({"game": game.name, "rules": game.version, "box": game.build().box})
    lines = (json.dumps({name: value for name, value in asdict(one).items() if name != "game"}) for one in endgames)
    path.write_text(f'{head[:-1]}, "endgames": [\n' + ",\n".join(lines) + "\n]}\n", "utf-8")


def by_openspiel(endgame: Endgame) -> tuple[float, tuple[int, int]]:
    """The share of the win of seat 0 by OpenSpiel's linear program, and how many information sets each seat has."""
    from open_spiel.python import policy
    from open_spiel.python.algorithms import sequence_form_lp

    from ridotto.rl.openspiel import load as load_game

    game = load_game(endgame.game, position=endgame.position)
    value, *_ = sequence_form_lp.solve_zero_sum_game(game)
    first, second = policy.TabularPolicy(game).states_per_player
    return 0.5 + float(value), (len(first), len(second))


if __name__ == "__main__":
    main()
