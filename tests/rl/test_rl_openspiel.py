"""The games for OpenSpiel: its own tests, and that its states are our matches."""

from __future__ import annotations

import json
import pickle
import random
import subprocess
import sys
import unittest
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy
import pyspiel
import pytest
import snippets
from conftest import every_table
from open_spiel.integration_tests import api_test
from open_spiel.python.algorithms import evaluate_bots, ismcts, mcts, outcome_sampling_mccfr
from open_spiel.python.bots.uniform_random import UniformRandomBot
from open_spiel.python.observation import make_observation
from open_spiel.python.tests import games_sim_test

from bench import openspiel_arena
from ridotto import bots
from ridotto.core.match import Match
from ridotto.engine.errors import RidottoError
from ridotto.games import GAMES
from ridotto.rl import openspiel, openspiel_bots
from ridotto.rl.environment import payoffs
from ridotto.rl.openspiel_states import Node

TABLES = every_table()
ALL: list[Any] = [pytest.param("ridotto_{}(players={})".format(*table.values), marks=table.marks) for table in TABLES]
SHORT: list[Any] = [
    pytest.param(f"{text[:-1]},history=40{',blind=1' if 'turandot' in text else ''})", marks=one.marks)
    for one in ALL
    for text in one.values
]
"""With short tensors, and something to hide in each game."""
AT_ONCE = ["ridotto_opera(players=4,simultaneous=True)", "ridotto_turandot(players=3,blind=1,simultaneous=True)"]


def drawn(state: Any, dice: random.Random) -> Any:
    """The state after its draws."""
    while state.is_chance_node():
        state.apply_action(dice.choice(state.legal_actions()))
    return state


def decisions(text: str, seed: int) -> Iterator[Any]:
    """The decisions of a random match, one state each."""
    dice = random.Random(seed)
    state = drawn(pyspiel.load_game(text).new_initial_state(), dice)
    while not state.is_terminal():
        yield state.clone()
        state.apply_action(dice.choice(state.legal_actions()))
        drawn(state, dice)


# Their own tests.


@pytest.mark.parametrize("text", ALL + AT_ONCE)
def test_random_simulation(text: str) -> None:
    """OpenSpiel's own simulation finds nothing wrong: legal actions, masks, clones, serialisation, tensors, returns."""
    pyspiel.random_sim_test(pyspiel.load_game(text), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("text", ALL + AT_ONCE)
def test_simulation_in_python(text: str) -> None:
    """OpenSpiel's simulation in Python finds nothing wrong either: it also pickles games, their types and states."""
    games_sim_test.GamesSimTest().sim_game(pyspiel.load_game(text))


@pytest.mark.parametrize("text", SHORT)
def test_api(text: str) -> None:
    """OpenSpiel's tests of a game's interface, on a part of the tree, all pass."""
    game = pyspiel.load_game(text)
    suite = type("Api", (api_test.EnforceAPIOnPartialTreeBase,), {"game": game, "game_name": text})
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(suite).run(result)
    assert [] == [trace for _, trace in result.errors + result.failures]
    assert 5 == result.testsRun


@pytest.mark.parametrize("text", SHORT)
def test_resampling(text: str) -> None:
    """A resampled state looks the same to its player in every way (OpenSpiel's ResampleInfostateTest, in Python)."""
    sampler = pyspiel.UniformProbabilitySampler(7, 0.0, 1.0)
    differed = 0
    for number, state in enumerate(decisions(text, 5)):
        player = number % state.num_players()
        other = state.resample_from_infostate(player, sampler)
        assert state.information_state_string(player) == other.information_state_string(player)
        assert state.information_state_tensor(player) == other.information_state_tensor(player)
        assert state.observation_tensor(player) == other.observation_tensor(player)
        assert state.current_player() == other.current_player()
        if player == state.current_player():
            assert state.legal_actions() == other.legal_actions()
        differed += str(state) != str(other)
    assert 0 < differed


def test_the_resampling_test_can_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    """A world drawn without regard to what a player knows is found by the test above."""

    def careless(node: Node, seat: int, seed: int) -> Node:
        return Node.redealt(node, 1 - seat, seed)

    monkeypatch.setattr(
        openspiel.SpielState,
        "resample_from_infostate",
        lambda state, player, rng: _with(state, careless(state.node, player, 1)),
    )
    with pytest.raises(AssertionError):
        test_resampling("ridotto_fantome(players=2,history=40)")


def _with(state: Any, node: Node) -> Any:
    other = state.get_game().new_initial_state()
    other.node = node
    return other


# A state is a match.


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_states_follow_matches(name: str, players: int) -> None:
    """A state that is given the draws and actions of a match stands where the match stands, and shows what it shows."""
    match = Match(GAMES[name], players, seed=11)
    dice = random.Random(3)
    state = openspiel.load(name, players).new_initial_state()
    given = 0
    while True:
        for outcome in match.entries[-1].draws:
            state.apply_action(outcome)
            given += 1
        assert match.row == state.node.row.tolist()
        for seat in range(players):
            assert match.view(seat) == state.view(seat)
        if not match.to_act:
            break
        seat = match.to_act[0]
        action = dice.choice(match.legal(seat).ids)
        assert seat == state.current_player()
        assert list(match.legal(seat).ids) == state.legal_actions()
        assert list(match.legal(seat)) == [state.action_to_string(seat, one) for one in state.legal_actions()]
        match.play(action, seat)
        state.apply_action(action)
    assert state.is_terminal() and 0 < given
    outcome_ = match.outcome
    assert outcome_ is not None and outcome_.winners
    share = 1 / len(outcome_.winners)
    expected = [(share if seat in outcome_.winners else 0.0) - 1 / players for seat in range(players)]
    assert pytest.approx(expected) == state.returns()


def test_where_nobody_wins() -> None:
    """A match of Turandot lost to the fictitious troupe: a loss for both in PettingZoo, nothing for either here, zero-sum."""
    match = Match(GAMES["turandot"], 2, seed=2)
    state = openspiel.load("turandot", 2).new_initial_state()
    while True:
        for outcome in match.entries[-1].draws:
            state.apply_action(outcome)
        if not match.to_act:
            break
        seat = match.to_act[0]
        action = match.legal(seat).ids[-1]
        match.play(action, seat)
        state.apply_action(action)
    assert match.outcome is not None and () == match.outcome.winners
    assert (-0.5, -0.5) == payoffs(match, "share")
    assert [0.0, 0.0] == state.returns()


def test_draws_are_chance_nodes() -> None:
    """Le Fantôme begins with the phantom drawn out of eight people (§2): a chance node with eight outcomes, each as likely."""
    state = openspiel.load("fantome").new_initial_state()
    sizes = []
    while state.is_chance_node():
        outcomes = state.chance_outcomes()
        assert [1 / len(outcomes)] * len(outcomes) == [chance for _, chance in outcomes]
        sizes.append(len(outcomes))
        state.apply_action(0)
    assert 8 in sizes and max(sizes) <= openspiel.MOST_OUTCOMES


def test_simultaneous_or_in_turn() -> None:
    """The same bids lead to the same row, made at once or one after the other."""
    turns = drawn(pyspiel.load_game("ridotto_opera(players=3)").new_initial_state(), random.Random(2))
    at_once = drawn(pyspiel.load_game("ridotto_opera(players=3,simultaneous=True)").new_initial_state(), random.Random(2))
    while not at_once.is_simultaneous_node():
        action = turns.legal_actions()[0]
        for state in (turns, at_once):
            drawn(state, random.Random(4)).apply_action(action)
            drawn(state, random.Random(4))
    actions = [at_once.legal_actions(player)[-1] for player in range(3)]
    at_once.apply_actions(actions)
    for player, action in enumerate(actions):
        assert player == turns.current_player()
        other = turns.child(turns.legal_actions()[0])
        turns.apply_action(action)
        if player < 2:
            for seat in range(3):
                same = turns.information_state_string(seat) == other.information_state_string(seat)
                assert (seat != player) == same
    assert str(turns) == str(at_once)


def test_serialised_states_go_on_the_same() -> None:
    """A state read back, in the middle of its draws or between them, goes on as the first one does, and knows its past."""
    game = pyspiel.load_game("ridotto_turandot(players=4)")
    dice = random.Random(1)
    state = game.new_initial_state()
    while not state.is_terminal():
        again = pickle.loads(pickle.dumps(state)) if dice.random() < 0.2 else state.clone()
        if not state.is_chance_node():
            player = state.current_player()
            assert state.information_state_string(player) == again.information_state_string(player)
        action = dice.choice(state.legal_actions())
        again.apply_action(action)
        state.apply_action(action)
        assert str(state) == str(again) and state.history() == again.history()
        state = again


def test_observers() -> None:
    """Who may see less or more is shown less or more: a spectator, one player, everything; public or private alone."""
    state = list(decisions("ridotto_fantome", 1))[3]
    game, kinds = state.get_game(), pyspiel.PrivateInfoType
    texts = {}
    for public, private in [
        (True, kinds.NONE),
        (True, kinds.SINGLE_PLAYER),
        (True, kinds.ALL_PLAYERS),
        (False, kinds.SINGLE_PLAYER),
    ]:
        kind = pyspiel.IIGObservationType(public_info=public, perfect_recall=False, private_info=private)
        observation = make_observation(game, kind)
        observation.set_from(state, 1)
        texts[public, private] = observation.string_from(state, 1)
        assert public == (observation.tensor is not None)
    assert 4 == len(texts)
    # Of the thirty words of a row, who the phantom is and what is held back are for the phantom alone, who is seat 1.
    assert [2, 0, 0, 28] == [text.count("?") for text in texts.values()]
    pieces = make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))
    pieces.set_from(state, 1)
    assert (openspiel.HISTORY, state.node.setup.tensors.short_history_width) == pieces.dict["history"].shape
    seen = state.view(1).seen
    assert len(seen) == int(pieces.dict["history"].any(axis=1).sum())


def test_parameters_are_checked() -> None:
    """Seats and options that a game does not have are refused by name."""
    with pytest.raises(Exception, match="fantome has 2 seats, not 3"):
        pyspiel.load_game("ridotto_fantome(players=3)")
    with pytest.raises(Exception, match="option 'handicap' takes"):
        pyspiel.load_game("ridotto_fantome(handicap=99)")
    assert 1 == openspiel.load("opera", seven_rounds=1).new_initial_state().node.setup.options["seven_rounds"]


def test_leaving_python_is_quiet() -> None:
    """A process that used the games ends without a word."""
    code = "import pyspiel, ridotto.rl.openspiel as o; pyspiel.load_game('ridotto_fantome').new_initial_state()"
    assert 0 == subprocess.run([sys.executable, "-c", code], check=False).returncode


# Bots, both ways.


def test_our_bots_at_their_tables() -> None:
    """`greedy` as an OpenSpiel bot chooses what it would choose in a match, and beats random play in their evaluation."""
    state = list(decisions("ridotto_fantome", 9))[6]
    seat = state.current_player()
    ours = openspiel.SpielBot("greedy", seat, 4)
    assert ours.step(state) in state.legal_actions()
    assert pyspiel.INVALID_ACTION == openspiel.SpielBot("greedy", 1 - seat).step(state)
    dice = numpy.random.RandomState(1)
    total = 0.0
    for number in range(24):
        player = number % 2
        sitting: list[Any] = [UniformRandomBot(seat, dice) for seat in range(2)]
        sitting[player] = openspiel.SpielBot("greedy", player, number)
        result = evaluate_bots.evaluate_bots(pyspiel.load_game("ridotto_fantome").new_initial_state(), sitting, dice)
        total += result[player]
    assert 4.0 < total <= 12.0


def test_their_search_on_our_games() -> None:
    """OpenSpiel's ISMCTS as it is plays our game through `resample_from_infostate`."""
    game = pyspiel.load_game("ridotto_turandot(players=3)")
    state = drawn(game.new_initial_state(), random.Random(3))
    dice = numpy.random.RandomState(1)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, dice), 1.0, 20, random_state=dice)
    assert bot.step(state) in state.legal_actions()


def test_their_regrets_on_our_games() -> None:
    """OpenSpiel's outcome sampling walks a whole match and keeps regrets for what it met."""
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(pyspiel.load_game("ridotto_fantome"))
    solver.iteration()
    assert 10 < len(solver._infostates)


@pytest.mark.parametrize("kind", openspiel_bots.KINDS)
@pytest.mark.parametrize(("name", "players"), [("fantome", 2), ("opera", 3), ("turandot", 5)])
def test_guests(kind: str, name: str, players: int) -> None:
    """A guest's choice is legal, and hangs on the view and the seed alone, whoever of those that choose at once is asked."""
    match = Match(GAMES[name], players, seed=2)
    guest = openspiel_bots.find(f"openspiel:{kind}:4")
    dice = random.Random(1)
    for _ in range(3):
        seat = match.to_act[-1]
        view = match.view(seat)
        choice = guest.choose(view, bots.Budget(7))
        assert choice in view.legal
        assert choice == guest.choose(view, bots.Budget(7))
        match.play(dice.choice(view.legal), seat)


def test_guests_keep_to_their_time() -> None:
    """A guest with a time stops when it is up, and one with a budget of seconds as well."""
    match = Match(GAMES["fantome"], seed=4)
    for name in ("openspiel:ismcts:30ms", "openspiel:mccfr:30ms"):
        assert openspiel_bots.find(name).choose(match.view(0), bots.Budget(1)) in match.view(0).legal
    assert (
        openspiel_bots.find("openspiel:ismcts:900000").choose(match.view(0), bots.Budget(1, seconds=0.03))
        in match.view(0).legal
    )


@pytest.mark.parametrize(
    "name", ["openspiel", "openspiel:ismcts", "openspiel:chess:5", "openspiel:ismcts:0", "openspiel:mccfr:9h"]
)
def test_unknown_guests(name: str) -> None:
    """A guest that there is not is refused by name, with those that there are."""
    with pytest.raises(bots.UnknownBot, match=f"unknown bot '{name}'; there are: openspiel:ismcts:1000"):
        openspiel_bots.find(name)


def test_without_openspiel_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever names such a bot and lacks the package is told which extra brings it."""
    assert isinstance(bots.find("openspiel:mccfr:5"), openspiel_bots.OpenSpielBot)
    for name in ("openspiel", "openspiel_bots"):
        monkeypatch.delitem(sys.modules, f"ridotto.rl.{name}")
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(RidottoError, match=r"pip install 'ridotto\[rl\]'"):
        bots.find("openspiel:mccfr:5")


# The page.


def test_the_snippets_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything that the section shows can be typed."""
    monkeypatch.chdir(tmp_path)
    assert 3 == snippets.run("OpenSpiel")


def test_the_table_of_strength_is_not_typed() -> None:
    """The table stands in the page as the command prints it from its figures."""
    figures = json.loads(openspiel_arena.RESULT.read_text("utf-8"))
    page = snippets.section("OpenSpiel")
    assert openspiel_arena.markdown(figures) in page
    assert f"{figures['matches']} matches" in page
    assert {"greedy", *(f"{kind}:{figures['playouts'][kind]}" for kind in openspiel_arena.KINDS)} == {
        line["bot"] for line in figures["bots"]
    }
