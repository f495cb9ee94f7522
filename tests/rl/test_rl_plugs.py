"""Environments plug into what learners use: copies and pickles, masks, state spaces, reset options, opponents, positions."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy
import pytest
from gymnasium.vector import AutoresetMode
from pettingzoo.test.state_test import state_test

from ridotto import Match
from ridotto.core.batch import Batch
from ridotto.core.errors import BadPosition, BadSetup, IllegalAction
from ridotto.engine.build import cuda
from ridotto.engine.errors import RidottoError
from ridotto.games import GAMES
from ridotto.rl import aec, parallel, single, vector


def has_device() -> bool:
    """Whether there is a GPU that Numba can use."""
    try:
        cuda()
    except RidottoError:
        return False
    return True


COPIES: tuple[Callable[[Any], Any], ...] = (copy.deepcopy, lambda thing: pickle.loads(pickle.dumps(thing)))


# Copies.


def test_a_copied_match_goes_on_alike() -> None:
    """A match, deep-copied or pickled in the middle: the same draws, events, views and records to the end, on their own."""
    match = Match(GAMES["turandot"], 3, seed=4, clock=float)
    for _ in range(9):
        match.play(match.legal(match.to_act[0])[0], match.to_act[0])
    copies = [make(match) for make in COPIES]
    before = match.row
    while match.to_act:
        seat = match.to_act[0]
        action = match.legal(seat)[-1]
        for one in (match, *copies):
            one.play(action, seat)
        assert all(one.entries == match.entries and one.row == match.row for one in copies)
        assert all(one.view(seat) == match.view(seat) for one in copies)
    assert before != match.row and all(one.outcome == match.outcome for one in copies)
    assert all(make(match.view(1)) == match.view(1) for make in COPIES)


@pytest.mark.parametrize("make", COPIES)
def test_a_copied_batch_goes_on_alike(make: Callable[[Any], Any]) -> None:
    """A batch, its dice included; what is done to the copy does not touch the other."""
    batch = Batch(GAMES["fantome"], 50, seed=2, threads=2)
    batch.play(20)
    other = make(batch)
    rows = batch.rows.copy()
    other.play(30)
    assert (rows == batch.rows).all()
    batch.play(30)
    assert (batch.rows == other.rows).all() and (batch.masks == other.masks).all() and batch.decisions == other.decisions


@pytest.mark.parametrize("make", COPIES)
def test_copied_environments_go_on_alike(make: Callable[[Any], Any]) -> None:
    """PettingZoo, Gymnasium and the vector environment: equal in every later step, each with action spaces of its own."""
    one = aec("turandot", 3)
    one.reset(seed=1)
    other = make(one)
    for _ in range(40):
        observation, same = one.observe(one.agent_selection), other.observe(one.agent_selection)
        assert numpy.array_equal(observation["observation"], same["observation"])
        action = int(observation["action_mask"].argmax())
        one.step(action)
        other.step(action)
    agent = one.agent_selection
    assert other.observe(agent)["action_mask"][other.action_space(agent).sample()], "its space knows its own match"

    seat = single("fantome", seat=1, bots="random")
    seat.reset(seed=3)
    again = make(seat)
    for _ in range(30):
        action = int(seat.action_masks().argmax())
        (seen, reward, over, _, _), (same, paid, ended, _, _) = seat.step(action), again.step(action)
        assert numpy.array_equal(seen["observation"], same["observation"]) and (reward, over) == (paid, ended)
        if over:
            seat.reset()
            again.reset()

    many = vector("fantome", 8, learner=0, opponent="random", threads=2)
    seen, _ = many.reset(seed=5)
    more = make(many)
    for _ in range(40):
        actions = seen["action_mask"].argmax(axis=1)
        seen, rewards, *_ = many.step(actions)
        same, paid, *_ = more.step(actions)
        assert numpy.array_equal(seen["observation"], same["observation"]) and (rewards == paid).all()


def test_a_space_alone_is_a_plain_space() -> None:
    """The action space of an environment can be sent to another process: there it is as large, and knows no match."""
    environment = single("fantome")
    for make in COPIES:
        space = make(environment.action_space)
        assert space == environment.action_space
        assert {int(space.sample()) for _ in range(2000)} == set(range(78))


# Interfaces.


def test_masks_for_maskable_learners() -> None:
    """`action_masks` are the flags of what is legal, and every legal action can be done."""
    environment = gymnasium.make("ridotto.rl.gymnasium:ridotto/turandot-v1", seat=1, bots="random")
    seen, _ = environment.reset(seed=2)
    masks = environment.get_wrapper_attr("action_masks")()
    assert bool == masks.dtype and (masks == seen["action_mask"]).all() and masks.any()


@pytest.mark.parametrize("name", ["fantome", "turandot"])
def test_the_state_of_pettingzoo(name: str) -> None:
    """PettingZoo's own test of state spaces; the state hides nothing."""
    state_test(aec(name), parallel(name))  # type: ignore[no-untyped-call]
    environment = aec(name)
    environment.reset(seed=1)
    assert environment.state_space.contains(environment.state())


def test_gymnasium_makes_vectors() -> None:
    """`make_vec` finds the vector environment by itself, and in processes of its own."""
    name = "ridotto.rl.gymnasium:ridotto/fantome-v1"
    many = gymnasium.make_vec(name, 5, vectorization_mode="vector_entry_point", learner=0)
    seen, _ = many.reset(seed=1)
    assert (5, 203) == seen["observation"].shape and AutoresetMode.SAME_STEP is many.metadata["autoreset_mode"]
    assert GAMES["fantome"].build().box == many.metadata["box"]
    apart = gymnasium.make_vec(name, 2, vectorization_mode="async", bots="random")
    seen, _ = apart.reset(seed=1)
    seen, *_ = apart.step(seen["action_mask"].argmax(axis=1))
    assert (2, 203) == seen["observation"].shape
    apart.close()


def test_infos_have_their_masks() -> None:
    """Every key of the infos has a mask that says in which environments it holds."""
    many = vector("fantome", 3)
    seen, infos = many.reset(seed=1)
    assert infos["_seat"].all()
    *_, infos = many.step(seen["action_mask"].argmax(axis=1))
    assert infos["_seat"].all() and infos["_rewards"].all()


# Resetting.


@pytest.mark.parametrize("make", [aec, parallel, single])
def test_unknown_reset_options_are_refused(make: Callable[..., Any]) -> None:
    """Options of the game are no options of a reset."""
    with pytest.raises(BadSetup, match="reset has no option 'blind'; it has: position"):
        make("turandot", 2).reset(seed=1, options={"blind": 1})


def test_a_reset_mask_is_honoured() -> None:
    """Only the environments of the mask get their next match; the others stay as they are."""
    many = vector("turandot", 4, learner=0, opponent="random")
    seen, _ = many.reset(seed=1)
    for _ in range(5):
        seen, *_ = many.step(seen["action_mask"].argmax(axis=1))
    assert many.batch is not None
    before, mask = many.batch.rows.copy(), numpy.array([False, True, True, False])
    again, _ = many.reset(options={"reset_mask": mask})
    assert (many.batch.rows == before).all(axis=1).tolist() == (~mask).tolist()
    assert [0, 1, 1, 0] == many.batch.matches.tolist()
    assert (again["observation"] == seen["observation"]).all(axis=1).tolist() == (~mask).tolist()
    fresh = single("turandot", number=2, bots="random")
    fresh.reset(seed=1)
    assert (fresh.reset()[0]["observation"] == again["observation"][2]).all(), "the second match of environment 2"
    for given, why in (
        ({"reset_mask": mask[:2]}, "has 4 booleans"),
        ({"mask": mask}, "has no option 'mask'; it has: reset_mask"),
    ):
        with pytest.raises(BadSetup, match=why):
            many.reset(options=given)
    with pytest.raises(BadSetup, match="goes without a seed"):
        many.reset(seed=1, options={"reset_mask": mask})


# Opponents.


@pytest.mark.compiles
@pytest.mark.parametrize(
    ("name", "players", "opponent", "shown"),
    [
        ("fantome", 2, "level:1", {"history": 5, "features": True}),
        ("fantome", 2, "greedy", {}),
        ("turandot", 3, "random", {"history": 9, "traits": True, "features": True}),
    ],
)
def test_named_opponents_play_as_in_one_seat(name: str, players: int, opponent: str, shown: dict[str, Any]) -> None:
    """Environment i is, move by move, `single` with that number, whoever the opponent is; also over the end of a match.

    With the last events and the traits of cards, which the one works out in compiled code, the other in Python.
    """
    many = vector(name, 3, players, learner="each", opponent=opponent, threads=2, **shown)
    seen, _ = many.reset(seed=6)
    alone = [single(name, players, seat=number % players, bots=opponent, number=number, **shown) for number in range(3)]
    expected = [environment.reset(seed=6)[0] for environment in alone]
    ended = 0
    for _ in range(60):
        for number, environment in enumerate(alone):
            same = {key: array[number] for key, array in seen.items()}
            assert_alike(expected[number], same)
            assert environment.observation_space.contains(same)
        actions = seen["action_mask"].argmax(axis=1)
        seen, rewards, over, _, infos = many.step(actions)
        for number, environment in enumerate(alone):
            expected[number], reward, terminated, _, _ = environment.step(actions[number])
            assert (pytest.approx(reward), terminated) == (rewards[number], over[number])
            if terminated:
                ended += 1
                assert_alike(expected[number], infos["final_obs"][number])
                expected[number] = environment.reset()[0]
    assert ended > 1


def assert_alike(expected: dict[str, Any], found: dict[str, Any]) -> None:
    """Observations with the same parts and, but for rounding, the same numbers; the events are not all missing."""
    assert expected.keys() == found.keys()
    assert all(numpy.allclose(expected[key], found[key], atol=1e-6) for key in expected)
    assert "history" not in expected or expected["history"].any()


def test_what_cannot_be_shown_is_refused() -> None:
    """Traits are numbers, not bits; a history has no negative length."""
    with pytest.raises(BadSetup, match="traits of cards are numbers of the form 'float32', not 'bits'"):
        vector("turandot", 2, traits=True, form="bits")
    with pytest.raises(BadSetup, match="opera has no features"):
        vector("opera", 2, features=True)
    for make in (single, aec):
        with pytest.raises(BadSetup, match="a history has 0 events or more, not -1"):
            make("fantome", history=-1)


@pytest.mark.skipif(not has_device(), reason="there is no GPU here that Numba can use")
@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("turandot", {"history": 9, "traits": True, "features": True}),
        ("turandot", {"history": 4, "learner": 1, "final": True}),
        ("fantome", {"features": True, "history": 4, "learner": 1, "opponent": "random", "final": True}),
    ],
)
def test_what_is_shown_on_a_gpu(name: str, shown: dict[str, Any]) -> None:
    """Traits, features and the last events are the same numbers there, step by step."""
    on_cpu, on_gpu = (vector(name, 64, target=target, **{"learner": None, **shown}) for target in ("cpu", "cuda"))
    seen, _ = on_cpu.reset(seed=3)
    other, _ = on_gpu.reset(seed=3)
    ended = 0
    for _ in range(120):
        for key, array in seen.items():
            assert numpy.allclose(array, other[key].copy_to_host(), atol=1e-6), key
        actions = seen["action_mask"].argmax(axis=1)
        seen, _, over, _, infos = on_cpu.step(actions)
        other, _, _, _, there = on_gpu.step(actions)
        if "final" in shown:
            for number in over.nonzero()[0]:
                last = infos["final_obs"][number]
                assert numpy.allclose(last["observation"], there["final_obs"].copy_to_host()[number], atol=1e-6)
                assert numpy.allclose(last["history"], there["final_history"].copy_to_host()[number], atol=1e-6)
        ended += int(over.sum())
    assert on_gpu.batch is not None
    on_gpu.batch.check()
    assert ended > 10


def test_an_opponent_may_be_a_function() -> None:
    """It is handed the observations of its seats alone, and chooses for all of them at once; what is not legal is refused."""
    asked: list[int] = []

    def first(seen: dict[str, Any]) -> Any:
        asked.append(len(seen["observation"]))
        assert seen["observation"][:, :2].tolist() == [[0.0, 1.0]] * asked[-1], "the phantom is looking"
        return seen["action_mask"].argmax(axis=1)

    many = vector("fantome", 6, learner=0, opponent=first)
    seen, infos = many.reset(seed=3)
    ended = 0
    for _ in range(60):
        assert not infos["seat"].any() and (seen["observation"][:, 0] == 1).all()
        seen, _, over, _, infos = many.step(seen["action_mask"].argmax(axis=1))
        ended += int(over.sum())
    assert ended > 3 and max(asked) > 1
    wrong = vector("fantome", 2, learner=1, opponent=lambda seen: numpy.full(len(seen["observation"]), 77))
    with pytest.raises(IllegalAction, match="the opponent chose 77 at seat 0 in environment 0"):
        wrong.reset(seed=1)


# Rewards.


def test_nobody_loses_where_nobody_wins() -> None:
    """With "zero-sum" rewards add up to 0 in every match of Turandot for two; with "share" one that nobody wins costs both."""
    totals: dict[str, list[float]] = {"share": [], "zero-sum": []}
    for reward, found in totals.items():
        many = vector("turandot", 100, 2, reward=reward)
        seen, _ = many.reset(seed=2)
        chance = numpy.random.default_rng(1)
        while len(found) < 100:
            mask = seen["action_mask"]
            seen, _, over, _, infos = many.step((mask * chance.random(mask.shape)).argmax(axis=1))
            found += infos["rewards"][over].sum(axis=1).tolist()
    assert pytest.approx(0, abs=1e-6) == max(map(abs, totals["zero-sum"]))
    assert pytest.approx(-1) == min(totals["share"])


# Positions.


@pytest.fixture
def late() -> Match:
    """A match of Le Fantôme after twelve actions."""
    match = Match(GAMES["fantome"], seed=8)
    for _ in range(12):
        match.play(match.legal()[0])
    return match


def test_every_environment_begins_with_a_position(late: Match) -> None:
    """With a whole position every match begins there, with what a spectator sees of it the secrets are dealt anew."""
    whole, seen_by_all = late.position(), late.view(None).position
    seat = late.to_act[0]
    identity = late.rules.FIELDS.F.identity
    for position, identities in ((whole, 1), (seen_by_all, 3)):
        one = single("fantome", seat=seat, bots="random", position=position)
        agents = aec("fantome", position=position)
        many = vector("fantome", 40, learner=seat, opponent="random", position=position)
        many.reset(seed=1)
        assert many.batch is not None
        assert identities <= len(set(many.batch.rows[:, identity].tolist())) <= (1 if identities == 1 else 8)
        for seed in range(3):
            one.reset(seed=seed)
            agents.reset(seed=seed)
            assert one.match is not None and agents.match is not None
            hidden = late.rules.FIELDS.hidden(None)
            for match in (one.match, agents.match):
                assert [match.row[i] == late.row[i] for i in range(len(late.row)) if i not in hidden].count(False) == 0
        first, _ = many.reset(seed=0)
        assert numpy.array_equal(one.reset(seed=0)[0]["observation"], first["observation"][0])
    environment = aec("fantome")
    environment.reset(seed=1, options={"position": whole})
    assert environment.match is not None and late.row == environment.match.row


def test_impossible_positions_are_refused(late: Match) -> None:
    """A position of another table, one that is over, and one that hides what nobody hides."""
    with pytest.raises(BadSetup, match="the position is one of 2 seats; this environment has 3"):
        single("turandot", 3, position=Match(GAMES["turandot"], 2, seed=1).position())
    hidden = late.view(None).position | {"carlotta": "?"}
    with pytest.raises(BadPosition, match="stands for all that one seat or a spectator may not know"):
        vector("fantome", 2, position=hidden)
    over = Match(GAMES["fantome"], seed=8)
    while over.to_act:
        over.play(over.legal()[0])
    with pytest.raises(BadSetup, match="the match is over in this position"):
        aec("fantome", position=over.position())


# Memory.


def test_observations_that_somebody_keeps_are_not_written_over() -> None:
    """Arrays of a step are used again once nobody holds them, or a part of them; until then they stay as they are."""
    many, other = vector("fantome", 16), vector("fantome", 16)
    seen, _ = many.reset(seed=1)
    other.reset(seed=1)
    held = []
    for step in range(12):
        held.append((seen["observation"][3:5] if step % 2 else seen["observation"], seen["action_mask"][0]))
        actions = seen["action_mask"].argmax(axis=1)
        seen, *_ = many.step(actions)
    same, _ = other.reset(seed=1)
    places = set()
    for step, (observation, mask) in enumerate(held):
        assert numpy.array_equal(observation, same["observation"][3:5] if step % 2 else same["observation"])
        assert numpy.array_equal(mask, same["action_mask"][0])
        same, *_ = other.step(same["action_mask"].argmax(axis=1))
        places.add(same["observation"].ctypes.data)
    assert len(places) == 2, "one that is shown and one that is written"
