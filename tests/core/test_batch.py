"""Many matches at once: the same matches whatever the threads, the target and the way they are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy
import pytest

from ridotto.core.batch import Batch
from ridotto.core.errors import IllegalAction
from ridotto.engine.arrays import Deal, Rows
from ridotto.engine.build import cuda
from ridotto.engine.errors import NoDevice
from ridotto.engine.fields import HIDDEN
from ridotto.games import GAMES

if TYPE_CHECKING:
    from conftest import Setup

SIZE = 40


def has_device() -> bool:
    """Whether there is a GPU to test with."""
    try:
        cuda()
    except NoDevice:
        return False
    return True


def kept(batch: Batch) -> dict[str, Any]:
    """Everything a batch holds, as lists."""
    arrays = batch.arrays._asdict()
    return {name: numpy.asarray(getattr(array, "copy_to_host", lambda a=array: a)()).tolist() for name, array in arrays.items()}


def of(setup: Setup, size: int = SIZE, **more: Any) -> Batch:
    """A batch of one of the set-ups every game goes through."""
    return Batch(setup.game, size, setup.seats, dict(setup.options), seed=77, is_scored=True, **more)


def interpreted(setup: Setup, decisions: int, bot_seats: int | None = None) -> dict[str, Any]:
    """The same matches played by the interpreted rules on plain lists."""
    build = setup.game.build("python")
    width, words = build.rules.FIELDS.width, build.rules.ACTIONS.words
    found = Rows(
        rows=[[0] * width for _ in range(SIZE)],
        dice=[[0] * 5 for _ in range(SIZE)],
        matches=[0] * SIZE,
        acting=[0] * SIZE,
        masks=[[0] * words for _ in range(SIZE)],
        rewards=[[0.0] * setup.seats for _ in range(SIZE)],
        ended=[0] * SIZE,
        scores=[[0] * setup.seats for _ in range(SIZE)],
    )
    work, deal = build.workspace(), Deal(list(setup.game.settle(dict(setup.options)).values()), setup.seats, 77)
    build.driver.deal_rows(found, work, deal, 0, SIZE)
    build.driver.advance_rows(found, work, deal, [-1] * SIZE, decisions, bot_seats, 0, SIZE)
    return found._asdict()


def rounded(found: dict[str, Any]) -> dict[str, Any]:
    """Thirds are not the same in single and double precision."""
    return {**found, "rewards": numpy.round(found["rewards"], 4).tolist()}


def test_interpreted_and_compiled_agree(setup: Setup) -> None:
    """Every word of every row is equal after hundreds of random decisions and several matches."""
    batch = of(setup)
    batch.play(150)
    assert rounded(interpreted(setup, 150)) == rounded(kept(batch))
    assert batch.ended.sum() == batch.matches.sum()


def test_thinkers_agree(setup: Setup) -> None:
    """The game's own bot at some seats decides the same interpreted and compiled."""
    batch = of(setup)
    batch.play(30, bot_seats=1)
    assert rounded(interpreted(setup, 30, bot_seats=1)) == rounded(kept(batch))


def test_threads_change_nothing(setup: Setup) -> None:
    """One thread, three threads (which do not divide the rows evenly) and more threads than rows give the same."""
    one, three, many = of(setup), of(setup, threads=3), of(setup, threads=SIZE + 5)
    for batch in (one, three, many):
        batch.play(100)
    assert kept(one) == kept(three) == kept(many)


def test_steps_are_the_same_as_play(setup: Setup) -> None:
    """A hundred calls of one decision, and of the first legal action handed in or replayed, lead to the same rows."""
    whole, single = of(setup), of(setup)
    whole.play(60)
    won = numpy.zeros((SIZE, setup.seats))
    for _ in range(60):
        single.play(1)
        won += single.rewards
    assert whole.rows.tolist() == single.rows.tolist()
    numpy.testing.assert_allclose(whole.rewards, won, atol=1e-5)


def test_actions_handed_in(setup: Setup) -> None:
    """An action handed in does what the rules do with it, in every row."""
    batch, build = of(setup), setup.game.build("cpu")
    for turn in range(40):
        ids, counts = batch.legal()
        chosen = ids[numpy.arange(SIZE), turn % counts]
        rows, dice, acting = batch.rows.copy(), batch.dice.copy(), batch.acting.copy()
        batch.step(chosen)
        for i in range(SIZE):
            build.rules.apply(rows[i], int(acting[i]), int(chosen[i]), dice[i], build.events(muted=True))
            if not batch.ended[i]:
                assert rows[i].tolist() == batch.rows[i].tolist()
                continue
            assert build.rules.to_act(rows[i]) == 0
            bits = build.rules.winners(rows[i])
            assert [bool(bits >> seat & 1) for seat in range(setup.seats)] == (batch.rewards[i] > 0).tolist()


def test_masks_ids_and_observations(setup: Setup) -> None:
    """Ids are the bits of the masks in ascending order; an observation is the view of the seat to act."""
    batch = of(setup)
    batch.play(33)
    ids, counts = batch.legal()
    fields, size = batch.build.rules.FIELDS, batch.build.rules.ACTIONS.size
    seen = batch.observations()
    for i in range(SIZE):
        bits = sum(int(word) << 32 * at for at, word in enumerate(batch.masks[i]))
        assert [a for a in range(size) if bits >> a & 1] == ids[i, : counts[i]].tolist()
        assert set(ids[i, counts[i] :].tolist()) <= {-1}
        hidden = set(fields.hidden(int(batch.acting[i])))
        assert [HIDDEN if at in hidden else word for at, word in enumerate(batch.rows[i].tolist())] == seen[i].tolist()


def test_other_seeds_are_other_matches() -> None:
    """Rows differ from each other and from those of another seed; one match of a row differs from the next."""
    first, second = Batch(GAMES["fantome"], 50, seed=1), Batch(GAMES["fantome"], 50, seed=2)
    assert len({tuple(row) for row in first.rows.tolist()}) > 40
    assert first.rows.tolist() != second.rows.tolist()
    deals = first.rows[0].tolist()
    while not first.ended[0]:
        first.play(1)
    assert deals != first.rows[0].tolist()


def test_illegal_actions_are_named_and_nothing_is_lost() -> None:
    """A row with an illegal action stays as it is, the others go on, and the error says which, whose and what."""
    batch = Batch(GAMES["fantome"], 6, seed=3)
    ids, _ = batch.legal()
    chosen = ids[:, 0].copy()
    chosen[4] = next(a for a in range(78) if a not in ids[4].tolist())
    before = batch.rows.copy()
    with pytest.raises(IllegalAction, match=r"illegal action '.*' by seat \d in row 4: it was left as it is"):
        batch.step(chosen)
    changed = (before != batch.rows).any(axis=1).tolist()
    assert [True, True, True, True, False, True] == changed
    for wrong in (78, 30000, -2):
        with pytest.raises(IllegalAction, match=f"illegal action {wrong}, of 0 to 77, by seat"):
            batch.step(numpy.full(6, wrong))
    with pytest.raises(ValueError, match="needs 6 whole numbers, one action a row"):
        batch.step(numpy.zeros(5, int))
    with pytest.raises(ValueError, match="whole numbers"):
        batch.step(numpy.zeros(6))


def test_a_gpu_that_is_not_there() -> None:
    """Where there is no GPU, asking for one says what to install or to use instead."""
    if has_device():
        return
    with pytest.raises(NoDevice, match=r"numba-cuda|use the target 'cpu'"):
        Batch(GAMES["fantome"], 6, target="cuda")


@pytest.mark.skipif(not has_device(), reason="no NVIDIA GPU here: bench/gpu.py compares the builds where there is one")
def test_gpu_and_cpu_agree(setup: Setup) -> None:
    """Every word of every row is equal on the GPU and the CPU."""
    gpu, cpu = of(setup, 3000, target="cuda"), of(setup, 3000)
    for batch in (gpu, cpu):
        batch.play(200)
    assert kept(gpu) == kept(cpu)


def test_scores_are_those_of_matches_that_ended() -> None:
    """Whoever has won has the highest score; where no match has ended there is none, and without asking for them never."""
    batch = Batch(GAMES["opera"], 200, 3, seed=3, is_scored=True)
    seen = 0
    for _ in range(40):
        batch.play(20)
        for i in range(batch.size):
            if batch.ended[i] == 0:
                assert [0, 0, 0] == batch.scores[i].tolist()
            elif batch.ended[i] == 1:
                seen += 1
                won = [seat for seat in range(3) if batch.rewards[i][seat] > 0]
                assert {max(batch.scores[i])} == {batch.scores[i][seat] for seat in won}
    assert seen > 100
    assert 0 == len(Batch(GAMES["opera"], 5, 3, seed=3).scores)
