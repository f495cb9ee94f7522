"""The games as PettingZoo environments: PettingZoo's own tests, and ours of what they do not ask."""

from __future__ import annotations

import random
from importlib import import_module
from typing import Any

import numpy
import pytest
from conftest import every_table

from ridotto.core.errors import BadNotation, BadSetup, IllegalAction
from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.rl import aec, parallel
from ridotto.rl.pettingzoo import Agents

THEIRS: Any = import_module("pettingzoo.test")
TABLES = every_table()

# PettingZoo knows its own games by name and says of all others that a mask inside the observation is unusual; and when a
# match is over nothing is legal.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_pettingzoo_api(name: str, seats: int) -> None:
    """PettingZoo's own test of an environment, agent by agent."""
    THEIRS.api_test(aec(name, seats), num_cycles=30)


def test_pettingzoo_api_to_the_end() -> None:
    """The same through whole matches."""
    THEIRS.api_test(aec("turandot", 3), num_cycles=100)
    THEIRS.api_test(aec("fantome", reward="score"), num_cycles=200)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_pettingzoo_seeds(name: str, seats: int) -> None:
    """PettingZoo's own test that a seed decides everything, for both kinds of environment."""
    THEIRS.seed_test(lambda: aec(name, seats), num_cycles=10)
    THEIRS.parallel_seed_test(lambda: parallel(name, seats), num_cycles=10)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_pettingzoo_parallel_api(name: str, seats: int) -> None:
    """PettingZoo's own test of an environment in which all agents act at once."""
    THEIRS.parallel_api_test(parallel(name, seats), num_cycles=40)


@pytest.mark.parametrize(
    ("name", "seats"),
    [
        pytest.param(name, seats, marks=() if seats == game.seats[0] else pytest.mark.soak)
        for name, game in GAMES.items()
        for seats in game.seats
    ],
)
def test_pettingzoo_render(name: str, seats: int, capsys: pytest.CaptureFixture[str]) -> None:
    """PettingZoo's own test of pictures, in every mode; `human` prints."""
    THEIRS.render_test(
        lambda render_mode: aec(name, seats, render_mode=render_mode),
        custom_tests={"svg": lambda res: res.startswith("<svg") and res.endswith("</svg>")},
    )
    assert len(capsys.readouterr().out) > 300


def played(environment: Agents, seed: int) -> tuple[list[int], dict[str, float]]:
    """Play a match at random; the actions, and what everybody got."""
    chance = random.Random(seed)
    environment.reset(seed=seed)
    actions, gained = [], dict.fromkeys(environment.possible_agents, 0.0)
    for agent in environment.agent_iter():
        observation, reward, terminated, _, _ = environment.last()
        gained[agent] += reward
        if terminated:
            environment.step(None)
            continue
        assert observation is not None
        actions.append(chance.choice(observation["action_mask"].nonzero()[0].tolist()))
        environment.step(actions[-1])
    return actions, gained


@pytest.mark.parametrize(("name", "seats"), [("fantome", 2), ("turandot", 3), ("opera", 2)])
def test_a_whole_match_is_a_match(name: str, seats: int) -> None:
    """The actions of an environment, played in a Match of the same seed, end the same way and give the same rewards."""
    environment = aec(name, seats)
    actions, gained = played(environment, 5)
    match = Match(GAMES[name], seats, seed=5)
    for action in actions:
        match.play(action, match.to_act[0])
    outcome = match.outcome
    assert outcome is not None and environment.match is not None
    assert environment.match.row == match.row
    shares = [1 / len(outcome.winners) if seat in outcome.winners else 0 for seat in range(seats)]
    assert [share - 1 / seats for share in shares] == list(gained.values())
    assert [] == environment.agents


def test_scores_as_rewards() -> None:
    """With `reward="score"` everybody gets the points by which they stand above the mean of the table."""
    environment = aec("opera", 3, reward="score", options={"seven_rounds": 1})
    _, gained = played(environment, 2)
    assert environment.match is not None and environment.match.outcome is not None
    scores = environment.match.outcome.scores
    assert pytest.approx([score - sum(scores) / 3 for score in scores]) == list(gained.values())


def test_the_next_match_is_another() -> None:
    """Without a seed reset() goes on to the next match of the old seed; with it, back to its first."""
    environment = aec("fantome")
    rows = []
    for seed in (4, None, None, 4, None):
        environment.reset(seed=seed)
        assert environment.match is not None
        rows.append(tuple(environment.match.row))
    assert rows[0] == rows[3] and rows[1] == rows[4]
    assert 3 == len(set(rows))


def test_observations_hide_what_a_view_hides() -> None:
    """Two worlds that differ in the phantom alone look the same to the inspector, and not to the phantom."""
    environment = aec("fantome")
    environment.reset(seed=1)
    assert environment.match is not None
    one = environment.observe("seat_0"), environment.observe("seat_1"), environment.state()
    position = environment.match.position()
    position["identity"] = "meg" if position["identity"] != "meg" else "raoul"
    environment.match = Match(GAMES["fantome"], position=position)
    other = environment.observe("seat_0"), environment.observe("seat_1"), environment.state()
    same = [numpy.array_equal(a["observation"], b["observation"]) for a, b in zip(one[:2], other[:2], strict=True)]
    assert [True, False] == same
    assert not numpy.array_equal(one[2], other[2]), "the state hides nothing"


def test_history_is_part_of_what_is_seen() -> None:
    """With `history` the last events come along, as this seat may know them; PettingZoo's test holds as before."""
    environment = aec("turandot", 3, history=12)
    environment.reset(seed=1)
    environment.step(environment.action_space(environment.agent_selection).sample())
    for seat in range(3):
        seen = environment.observe(f"seat_{seat}")
        assert environment.match is not None
        expected = environment.tensors.history(environment.match.view(seat).seen, seat, 12)
        assert expected.any() and numpy.array_equal(expected, seen["history"])
    THEIRS.api_test(environment, num_cycles=20)


def test_names_have_the_version_of_the_rules() -> None:
    """An environment is called by its game and the version of its rules."""
    assert ["fantome_v1", "opera_v2", "turandot_v1", "liars_dice_v1"] == [str(aec(name)) for name in GAMES]
    assert "opera_v2" == str(parallel("opera"))


def test_bids_are_made_at_once_and_others_wait() -> None:
    """All of Opera's bids go into one step; then one seat acts and the others have nothing to do but wait."""
    environment = parallel("opera", 3)
    seen, _ = environment.reset(seed=1)
    assert [0, 0, 0] == [int(seen[agent]["action_mask"][environment.wait]) for agent in environment.agents]
    seen, *_ = environment.step({agent: int(seen[agent]["action_mask"].nonzero()[0][-1]) for agent in environment.agents})
    waiting = [agent for agent in environment.agents if seen[agent]["action_mask"][environment.wait]]
    assert 2 == len(waiting)
    assert all(1 == seen[agent]["action_mask"].sum() for agent in waiting)
    assert environment.match is not None and 4 == environment.match.ply, "the deal and three bids"


def test_a_parallel_match_ends_for_everybody() -> None:
    """A match of Turandot with blind auditions, all at once, ends with one unit of reward shared out and taken off evenly."""
    environment = parallel("turandot", 4, options={"blind": 1})
    environment.reset(seed=3)
    most = 0
    while environment.agents:
        assert environment.match is not None
        most = max(most, len(environment.match.to_act))
        actions = {agent: environment.action_space(agent).sample() for agent in environment.agents}
        _, rewards, terminations, _, _ = environment.step(actions)
    assert 4 == most
    assert all(terminations.values())
    assert pytest.approx(0) == sum(rewards.values())


def test_illegal_actions_are_refused() -> None:
    """What the rules do not allow raises with the reason, and changes nothing."""
    environment = aec("fantome")
    environment.reset(seed=1)
    assert environment.match is not None
    before = environment.match.row
    with pytest.raises(IllegalAction, match=r"illegal action 'move 1' by seat 0 at ply 1: .*§3.3"):
        environment.step(9)
    with pytest.raises(BadNotation, match="an action is a whole number, not 'pick raoul'"):
        environment.step("pick raoul")
    assert before == environment.match.row
    together = parallel("fantome")
    seen, _ = together.reset(seed=1)
    legal = int(seen["seat_0"]["action_mask"].argmax())
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"seat_0": legal, "seat_1": legal}, "by seat 1 at ply 1: nothing is asked of it; legal: 78, to wait"),
        ({"seat_0": 78, "seat_1": 78}, "by seat 0 at ply 1: a decision is asked of it"),
        ({"seat_0": 9, "seat_1": 78}, "illegal action 'move 1' by seat 0 at ply 1"),
    ]
    for actions, reason in wrong:
        with pytest.raises(IllegalAction, match=reason):
            together.step(actions)
    with pytest.raises(BadSetup, match="no action of 'seat_1'"):
        together.step({"seat_0": legal})
    assert together.match is not None and 1 == together.match.ply


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"players": 5}, "opera has 2 to 4 seats, not 5"),
        ({"reward": "points"}, "a reward is one of 'share', 'zero-sum', 'score', not 'points'"),
        ({"render_mode": "png"}, "there are the render modes human, ansi, svg, rgb_array, not 'png'"),
        ({"viewer": 2}, "the viewer is a seat from 0 to 1 or None, not 2"),
        ({"options": {"short": 1}}, "opera has no option 'short'"),
    ],
)
def test_impossible_environments_are_refused(given: dict[str, Any], reason: str) -> None:
    """What an environment cannot be made of is said at once."""
    with pytest.raises(BadSetup, match=reason):
        aec("opera", **given)


def test_nothing_can_be_done_before_a_deal() -> None:
    """Looking before reset() says what to do."""
    with pytest.raises(BadSetup, match=r"call reset\(\) first"):
        aec("opera").observe("seat_0")
