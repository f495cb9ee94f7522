"""Nothing compiled reads or writes outside its arrays: whole matches with Numba's bounds checks on, which are off elsewhere.

The checks are a flag of the compiler, so each game is played in a process of its own: python test_bounds.py GAME
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ridotto.games import GAMES

HERE = Path(__file__).resolve()


@pytest.mark.compiles
@pytest.mark.parametrize("name", GAMES)
def test_no_index_is_out_of_bounds(name: str) -> None:
    """Random play, the game's bot, redealing and search in every set-up raise no IndexError."""
    # Without the last optimisations it is compiled sooner, and the checks are the same.
    env = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "NUMBA_OPT": "1"}
    found = subprocess.run([sys.executable, str(HERE), name], capture_output=True, text=True, env=env, cwd=HERE.parents[1])
    assert 0 == found.returncode, found.stderr[-3000:]
    assert "planted: caught" in found.stdout
    print(found.stdout)


def main(name: str) -> None:
    """Play every set-up of one game."""
    sys.path.insert(0, str(HERE.parents[1]))
    import numpy
    from conftest import setups
    from numba import njit

    from ridotto.bots import Budget, find
    from ridotto.core.batch import Batch

    planted: Any = njit(lambda array, at: array[at])
    try:
        planted(numpy.zeros(3, "int16"), 3)
    except IndexError:
        print("planted: caught")
    for setup in setups():
        if setup.game.name != name:
            continue
        batch = Batch(setup.game, 400, setup.seats, dict(setup.options), seed=1)
        batch.play(1500)
        batch.play(150, bot_seats=0b10101)
        build = setup.game.build("cpu")
        for row in batch.rows:
            for seat in range(setup.seats):
                masked: Any = numpy.array(row)
                build.driver.mask_row(row, seat, masked)
                build.rules.redeal(masked, seat, build.generator(7))
                assert build.rules.check(masked) == 0
        match = setup.match(3)
        while match.to_act and match.ply < 30:
            seat = match.to_act[0]
            match.play(find("search:50").choose(match.view(seat), Budget(5)), seat)
        print(f"{setup}: {batch.decisions:,} decisions, {int(batch.matches.sum()):,} matches")


if __name__ == "__main__":
    main(sys.argv[1])
