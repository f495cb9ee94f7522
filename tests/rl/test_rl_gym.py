"""The games as Gymnasium environments: its own checker, and the vector environment against single ones."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy
import pytest
from conftest import every_table
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from ridotto.bots import UnknownBot
from ridotto.core.batch import Batch
from ridotto.core.errors import BadSetup, IllegalAction
from ridotto.games import GAMES
from ridotto.rl import aec, single, vector

TABLES = every_table()


def some(mask: Any, chance: numpy.random.Generator) -> Any:
    """A legal action at every table, each as likely."""
    return (mask * chance.random(mask.shape)).argmax(axis=1)


# One seat.


def one_seat(name: str) -> str:
    """The name by which Gymnasium knows a seat of a game: it has the version of the rules."""
    return f"ridotto.rl.gymnasium:ridotto/{name}-v{GAMES[name].version}"


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_gymnasium_checks_one_seat(name: str, seats: int) -> None:
    """Gymnasium's own checker, for the last seat of every table; it steps with whatever it likes, hence `resign`."""
    made = gymnasium.make(one_seat(name), players=seats, seat=seats - 1, bots="random", illegal="resign")
    check_env(made.unwrapped, skip_render_check=True)


@pytest.mark.parametrize("name", GAMES)
def test_gymnasium_checks_pictures(name: str) -> None:
    """Gymnasium's own checker with the picture of every render mode."""
    made = gymnasium.make(one_seat(name), bots="random", illegal="resign", render_mode="ansi")
    check_env(made.unwrapped)


def test_any_bot_can_be_played_against() -> None:
    """A seat of Turandot against two bots of different kinds, to the end; the same seed gives the same match."""
    rows = []
    for _ in range(2):
        environment = single("turandot", 3, seat=1, bots=("search:20", "greedy"))
        seen, _ = environment.reset(seed=9)
        terminated, reward = False, 0.0
        while not terminated:
            seen, reward, terminated, _, _ = environment.step(seen["action_mask"].argmax())
        assert environment.match is not None and environment.match.outcome is not None
        assert (1 in environment.match.outcome.winners) == (reward > 0)
        rows.append(environment.match.row)
    assert rows[0] == rows[1]


def test_an_illegal_action_raises_or_resigns() -> None:
    """What is not legal raises; where that was asked for, it gives the match up and says why."""
    strict, lenient = single("fantome"), single("fantome", illegal="resign")
    for environment in (strict, lenient):
        environment.reset(seed=1)
    with pytest.raises(IllegalAction, match="illegal action 'move 1' by seat 0"):
        strict.step(9)
    _, reward, terminated, _, info = lenient.step(9)
    assert (-0.5, True) == (reward, terminated)
    assert "illegal action 'move 1' by seat 0" in info["illegal"]


# Many matches.


def as_singles(name: str, seats: int, size: int, opponent: str, reward: str) -> SyncVectorEnv:
    """The same matches one by one, as Gymnasium itself puts single environments together."""

    def one(number: int) -> Any:
        return lambda: single(name, seats, seat=number % seats, bots=opponent, reward=reward, number=number)

    return SyncVectorEnv([one(number) for number in range(size)], autoreset_mode=AutoresetMode.SAME_STEP)


@pytest.mark.compiles
@pytest.mark.parametrize(
    ("name", "seats", "opponent", "reward", "steps"),
    [
        ("fantome", 2, "random", "share", 60),
        ("fantome", 2, "greedy", "score", 40),
        ("turandot", 2, "greedy", "share", 40),
        ("turandot", 5, "random", "score", 30),
        ("turandot", 3, "greedy", "share", 30),
        ("turandot", 4, "random", "share", 30),
        ("opera", 2, "greedy", "share", 25),
        ("opera", 3, "random", "score", 25),
        ("opera", 4, "random", "share", 25),
    ],
)
def test_many_matches_are_as_many_single_ones(name: str, seats: int, opponent: str, reward: str, steps: int) -> None:
    """Step by step, through ends of matches: observations, masks, rewards, ends and last views of interpreted single ones."""
    size = seats * 2
    here = vector(name, size, seats, learner="each", opponent=opponent, reward=reward)
    there = as_singles(name, seats, size, opponent, reward)
    seen, infos = here.reset(seed=21)
    other, other_infos = there.reset(seed=[21] * size)
    chance = numpy.random.default_rng(1)
    for _ in range(steps):
        assert infos["seat"].tolist() == other_infos["seat"].tolist()
        for key in ("observation", "action_mask"):
            assert numpy.array_equal(other[key], seen[key])
        assert here.observation_space.contains(seen)
        actions = some(seen["action_mask"], chance)
        seen, rewards, terminations, truncations, infos = here.step(actions)
        other, other_rewards, other_terminations, other_truncations, other_infos = there.step(actions)
        assert other_terminations.tolist() == terminations.tolist()
        assert other_truncations.tolist() == truncations.tolist()
        assert pytest.approx(other_rewards) == rewards
        if terminations.any():
            assert other_infos["_final_obs"].tolist() == infos["_final_obs"].tolist()
            for number in terminations.nonzero()[0]:
                for key in ("observation", "action_mask"):
                    assert numpy.array_equal(other_infos["final_obs"][number][key], infos["final_obs"][number][key])
    if name != "opera":
        assert here.batch is not None and here.batch.matches.min() >= 1, "every environment has begun a second match"


@pytest.mark.compiles
@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_self_play_is_the_batch(name: str, seats: int) -> None:
    """With all seats ours the matches go through the very rows of a Batch, and through those of the agents of PettingZoo."""
    matches = vector(name, 3, seats)
    batch = Batch(GAMES[name], 3, seats, seed=8)
    agents = aec(name, seats)
    seen, infos = matches.reset(seed=8)
    agents.reset(seed=8)
    chance = numpy.random.default_rng(2)
    for _ in range(30):
        assert batch.acting.tolist() == infos["seat"].tolist()
        assert f"seat_{infos['seat'][0]}" == agents.agent_selection
        observed = agents.observe(agents.agent_selection)
        for key in ("observation", "action_mask"):
            assert numpy.array_equal(observed[key], seen[key][0])
        actions = some(seen["action_mask"], chance)
        seen, _, _, _, infos = matches.step(actions)
        batch.step(actions.astype("int16"))
        agents.step(int(actions[0]))
        assert matches.batch is not None and numpy.array_equal(batch.rows, matches.batch.rows)
        if not agents.match or not agents.match.to_act:
            break


def test_the_one_who_moved_is_rewarded_and_all_are_told() -> None:
    """In self-play a reward is that of the seat that moved; `infos` has everybody's, and a match's sum to nothing."""
    matches = vector("fantome", 50)
    seen, infos = matches.reset(seed=3)
    chance, ended = numpy.random.default_rng(3), 0
    for _ in range(120):
        movers = infos["seat"]
        seen, rewards, terminations, _, infos = matches.step(some(seen["action_mask"], chance))
        assert numpy.array_equal(infos["rewards"][numpy.arange(50), movers], rewards)
        assert numpy.array_equal(terminations, numpy.abs(infos["rewards"]).sum(axis=1) == 1)
        assert not infos["rewards"].sum(axis=1).any()
        ended += int(terminations.sum())
    assert ended > 50


@pytest.mark.parametrize("copy", [True, False])
def test_threads_and_copies_change_nothing(copy: bool) -> None:
    """One thread or three, copied or not: the same numbers; without copies it is the same array every time."""
    one, three = vector("turandot", 10, 2, copy=copy), vector("turandot", 10, 2, threads=3, copy=copy)
    seen, _ = one.reset(seed=5)
    other, _ = three.reset(seed=5)
    first, chance = seen["observation"], numpy.random.default_rng(4)
    for _ in range(30):
        assert numpy.array_equal(seen["observation"], other["observation"])
        actions = some(seen["action_mask"], chance)
        seen, *_ = one.step(actions)
        other, *_ = three.step(actions)
    assert copy != (first is seen["observation"])
    three.close()


@pytest.mark.compiles
def test_advice_is_good_and_changes_nothing() -> None:
    """Following the game's own bot wins nearly all matches of Turandot against random play; only asking it is no different."""
    asked, unasked = (vector("turandot", 40, 2, learner="each", opponent="random") for _ in range(2))
    seen, _ = asked.reset(seed=6)
    unasked.reset(seed=6)
    won = numpy.full(40, numpy.nan)
    while numpy.isnan(won).any():
        actions = asked.advice()
        assert seen["action_mask"][numpy.arange(40), actions].all()
        seen, rewards, terminations, _, _ = asked.step(actions)
        other, *_ = unasked.step(actions)
        assert numpy.array_equal(other["observation"], seen["observation"])
        first = terminations & numpy.isnan(won)
        won[first] = rewards[first] + 0.5
    assert won.mean() > 0.9
    with pytest.raises(BadSetup, match=r"advice is given on the CPU, after reset\(\)"):
        vector("turandot", 1).advice()


def test_every_environment_may_have_its_own_learner() -> None:
    """A list of learners: each environment goes as it would go with that learner everywhere."""
    mixed = vector("turandot", 6, 2, learner=[None, 0, 1, 1, None, 0])
    alike = {seat: vector("turandot", 6, 2, learner=seat) for seat in (None, 0, 1)}
    seen, infos = mixed.reset(seed=8)
    others = {seat: matches.reset(seed=8)[0] for seat, matches in alike.items()}
    asked: list[set[int]] = [set() for _ in range(6)]
    for _ in range(40):
        for number, seat in enumerate((None, 0, 1, 1, None, 0)):
            assert numpy.array_equal(others[seat]["observation"][number], seen["observation"][number])
            asked[number].add(int(infos["seat"][number]))
        others = {seat: matches.step(others[seat]["action_mask"].argmax(axis=1))[0] for seat, matches in alike.items()}
        seen, _, _, _, infos = mixed.step(seen["action_mask"].argmax(axis=1))
    assert [{0, 1}, {0}, {1}, {1}, {0, 1}, {0}] == asked


def test_an_illegal_action_leaves_its_environment_alone() -> None:
    """The environment is named and stays as it was; the others go on."""
    matches = vector("fantome", 3)
    seen, _ = matches.reset(seed=1)
    assert matches.batch is not None
    actions = seen["action_mask"].argmax(axis=1)
    actions[1] = 77
    before = matches.batch.rows.copy()
    with pytest.raises(IllegalAction, match="illegal action 77 by seat 0 in environment 1"):
        matches.step(actions)
    assert [True, False, True] == (before != matches.batch.rows).any(axis=1).tolist()


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"learner": 2}, "a learner is a seat from 0 to 1, 'each' or None, not 2"),
        ({"learner": [0, 1, None, 2]}, "a learner is a seat from 0 to 1, 'each' or None, not 2"),
        ({"learner": [0, 1]}, "a list of learners has one for each of 4 environments, not 2"),
        ({"form": "int8"}, "the form of an observation is one of 'float32', 'uint8', 'bits', 'row', not 'int8'"),
        ({"reward": "points"}, "a reward is one of 'share', 'zero-sum', 'score', not 'points'"),
        (
            {"target": "cuda", "opponent": "search"},
            "on a GPU the others are a function, or one of random, greedy, not 'search'",
        ),
    ],
)
def test_impossible_environments_are_refused(given: dict[str, Any], reason: str) -> None:
    """What many environments cannot be made of is said at once."""
    with pytest.raises(BadSetup, match=reason):
        vector("fantome", 4, **given)


def test_wrong_calls_say_what_would_do() -> None:
    """No environments, no reset, actions of another shape, a list of seeds, seats and bots that are not there."""
    with pytest.raises(BadSetup, match="needs one environment at least, not 0"):
        vector("fantome", 0)
    matches = vector("fantome", 4)
    with pytest.raises(BadSetup, match=r"call reset\(\) before step\(\)"):
        matches.step(numpy.zeros(4, int))
    with pytest.raises(BadSetup, match="the environments share one seed"):
        matches.reset(seed=[1, 2, 3, 4])
    matches.reset(seed=1)
    for actions in (numpy.zeros(3, int), numpy.zeros(4)):
        with pytest.raises(BadSetup, match="needs 4 whole numbers, one action each"):
            matches.step(actions)
    with pytest.raises(BadSetup, match="there are seats 0 to 1, not 2"):
        single("fantome", seat=2)
    with pytest.raises(BadSetup, match="2 other seats need as many bots, or one name for all, not 1"):
        single("turandot", 3, bots=["random"])
    with pytest.raises(UnknownBot, match="unknown bot 'clever'"):
        single("fantome", bots="clever")
    with pytest.raises(BadSetup, match="an illegal action is to 'raise' or to 'resign'"):
        single("fantome", illegal="clip")
