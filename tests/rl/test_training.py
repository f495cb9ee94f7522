"""`ridotto train`: what a learner is shown, what it learns from, and that it goes on where it stopped. It needs PyTorch."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from pathlib import Path
from typing import Any

import numpy
import pytest
from click.testing import CliRunner, Result

from ridotto import cli
from ridotto.bots import Budget
from ridotto.bots.networks import Net, load
from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.rl import Tensors, Traits
from ridotto.rl.training.learner import GameSurvey, Learner, TrainingSettings
from ridotto.rl.training.matches import TrainingMatches
from ridotto.rl.training.model import inputs_of

needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="PyTorch is not installed (ridotto[train])")
GAME = GAMES["liars_dice"]


def train(out: Path, minutes: float, *more: str) -> Result:
    """A very small training of a very small game."""
    small = ["--matches", "16", "--width", "16", "--every", "0.01", "--threads", "1", "--device", "cpu"]
    command = ["train", GAME.name, "--seats", "2", "--minutes", str(minutes), "--out", str(out), *small, *more]
    return CliRunner().invoke(cli.cli, command, catch_exceptions=False)


def test_without_torch_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence and no traceback."""
    monkeypatch.setitem(sys.modules, "torch", None)
    done = train(tmp_path / "network.npz", 1)
    assert (2, "ridotto: training needs PyTorch: pip install 'ridotto[train]'\n") == (done.exit_code, done.output)


def test_settings_are_plain_data() -> None:
    """They go through JSON and come back the same."""
    settings = TrainingSettings("opera", (2, 4), 3.5, imitation=0.25)
    assert settings == TrainingSettings.of(json.loads(json.dumps(settings.plain())))


def test_inputs_are_sums_of_elements() -> None:
    """A view's array times the matrix gives what is printed on the cards in it."""
    game = GAMES["turandot"]
    matrix, tensors = (
        inputs_of(game, ("cast",), True, False),
        Tensors(game, 2, is_padded=True, is_whole=True, without=("cast",)),
    )
    match = Match(game, 2, seed=3)
    array = tensors.encode(match.masked(0), 0)
    traits = Traits(Tensors(game, 5, is_padded=True, is_whole=True, without=("cast",)))
    assert numpy.allclose(traits.encode(array), array @ matrix, atol=1e-6)
    offer = traits.split(array @ matrix)["offer_together"]
    stars = offer[traits.piece("offer_together").labels.index("stars")]
    cards = {card["id"]: card["stars"] for card in game.build().components.BOX["singers"]}
    shown = [cards[name] for name in match.position()["offer"].values() if name in cards]
    assert sum(shown) / max(cards.values()) == pytest.approx(stars)


def test_the_page_is_right() -> None:
    """The Python on docs/training.md runs as it stands."""
    page = Path(__file__).parents[2] / "docs" / "training.md"
    snippets = re.findall(r"^```python\n(.*?)^```", page.read_text("utf-8"), re.M | re.S)
    assert snippets
    for snippet in snippets:
        exec(compile(snippet, str(page), "exec"), {})


@needs_torch
def test_tables_show_what_a_view_shows() -> None:
    """The arrays are those of the seat to act, as `Tensors` makes them out of its masked row."""
    import torch

    matches = TrainingMatches(GAME, 3, 20, 5, "cpu", "cpu")
    seen = torch.empty(20, matches.tensors.size)
    for _ in range(30):
        legal, acting = matches.observe(seen)
        masked = matches.batch.observations()
        for i in range(20):
            assert (matches.tensors.encode(masked[i], int(acting[i])) == seen[i].numpy()).all()
        ids, counts = matches.batch.legal()
        assert (legal.sum(1).numpy() == counts).all()
        matches.step(torch.as_tensor(ids[:, 0].astype("int64")))


def test_settings_of_earlier_checkpoints_are_read() -> None:
    """A checkpoint of version 0.1 has other names for two settings."""
    plain = TrainingSettings(GAME.name, (2,), 1.0, minibatch_size=7, gae_lambda=0.8).plain()
    former = plain | {"part": plain.pop("minibatch_size"), "trace": plain.pop("gae_lambda")}
    assert (7, 0.8) == (TrainingSettings.of(former).minibatch_size, TrainingSettings.of(former).gae_lambda)


@needs_torch
def test_advantages_are_those_worked_out_by_hand() -> None:
    """Three decisions and an end: what a seat expected, against what it expected at its own next decision, and what came."""
    import torch

    settings = TrainingSettings(GAME.name, (2,), 1.0, matches=8, length=4, width=8, gae_lambda=0.9)
    learner = Learner(settings, "cpu", 1, GameSurvey((), 1.0))
    learner.prepare()
    group = learner.group
    group.play(False)
    # In every match seat 0 decides, then seat 1, then seat 0, which has won then; in the next one seat 1 decides.
    group.seats[:] = torch.tensor([0, 1, 0, 1])[:, None]
    group.over[:] = torch.tensor([False, False, True, False])[:, None]
    group.values[:, :, 0] = torch.tensor([0.1, -0.2, 0.3, 0.05])[:, None]
    group.rewards.zero_()
    group.rewards[2, :, 0, :2] = torch.tensor([0.5, -0.5])
    following = torch.zeros_like(group.rewards[0])
    following[:, 0, :2] = torch.tensor([-0.4, 0.4])
    rollout = group._rollout(following)
    # Seat 0's first decision is judged by its second one, not by what seat 1 expected between them.
    first = 0.3 - 0.1 + 0.9 * (0.5 - 0.3)
    expected = [first, -0.5 + 0.2, 0.5 - 0.3, 0.4 - 0.05]
    assert expected == pytest.approx(rollout.advantages[::8, 0].tolist())
    # A seat counts itself first; what it should have expected of the other is what came of that one at its next decision.
    wanted = [[0.1 + first, -0.5], [-0.5, 0.5], [0.5, -0.5], [0.4, -0.4]]
    assert [pytest.approx(one) for one in wanted] == rollout.returns[::8, 0, :2].tolist()


@needs_torch
def test_a_training_is_kept_and_goes_on(tmp_path: Path) -> None:
    """It writes a network that plays, a picture and a checkpoint; the same command with more minutes goes on from there."""
    out = tmp_path / "network.npz"
    done = train(out, 0.03, "--imitate", "0.3")
    assert 0 == done.exit_code, done.output
    network = load(out)
    decisions = network.facts["training"]["decisions"]
    assert decisions > 0 and network.facts["curve"]
    assert out.with_suffix(".svg").read_text("utf-8").startswith("<?xml")
    match = Match(GAME, 2, seed=1)
    while match.to_act:
        seat = match.to_act[0]
        match.play(Net(network=network).choose(match.view(seat), Budget(match.ply)), seat)

    done = train(out, 0.05, "--imitate", "0.3")
    assert 0 == done.exit_code and "going on after 0.0" in done.output
    assert load(out).facts["training"]["decisions"] > decisions
    assert len(load(out).facts["curve"]) > len(network.facts["curve"])

    done = train(out, 0.05, "--imitate", "0.2")
    assert 2 == done.exit_code and "is of a training with other settings (imitation)" in done.output
    out.with_suffix(".checkpoint").write_bytes(b"nonsense")
    done = train(out, 0.05)
    assert 2 == done.exit_code and "is not the checkpoint of a training" in done.output


@needs_torch
def test_a_training_may_begin_with_a_network(tmp_path: Path) -> None:
    """Its first answers are those of the network, up to what its file rounds."""
    import torch

    first = tmp_path / "first.npz"
    assert 0 == train(first, 0.02).exit_code
    network = load(first)
    settings = TrainingSettings(GAME.name, (2,), 1.0, width=16)
    learner = Learner(settings, "cpu", 1, GameSurvey(tuple(network.facts["without"]), 1.0))
    learner.start_from(network)
    match = Match(GAME, 2, seed=4)
    seat = match.to_act[0]
    tensors = Tensors(GAME, 2, is_padded=True, is_whole=False, without=network.facts["without"])
    seen = torch.as_tensor(tensors.encode(match.masked(seat), seat))[None]
    ready: Any = network.for_seats(GAME, 2)
    build = GAME.build("cpu")
    build.network.evaluate(build.copy(match.masked(seat)), seat, ready)
    logits, _ = learner.net(seen)
    assert numpy.allclose(logits.detach().numpy()[0], ready.answers[: GAME.rules.ACTIONS.size], atol=1e-4)
    second = tmp_path / "second.npz"
    assert 0 == train(second, 0.02, "--start", str(first), "--points", "0.5", "0").exit_code
    facts = load(second).facts["training"]
    assert (network.digest, [0.5, 0.0]) == (facts["start"], facts["points"])
    done = train(tmp_path / "third.npz", 0.02, "--start", str(first), "--width", "24")
    assert 2 == done.exit_code and "cannot begin with that network: it is 16 wide" in done.output


@needs_torch
def test_the_games_own_bot_plays_some_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a quarter of them it plays all seats but one; only the decisions of that seat are learnt from."""
    import torch

    settings = TrainingSettings(GAME.name, (2, 3), 1.0, matches=32, length=12, width=8, bots=0.25)
    learner = Learner(settings, "cpu", 1, GameSurvey((), 1.0))
    group = learner.group
    advice, step = TrainingMatches.advice, TrainingMatches.step
    advised: list[Any] = []
    done: list[Any] = []

    def watched_advice(matches: TrainingMatches, first: int) -> Any:
        advised.append(advice(matches, first))
        return advised[-1]

    def watched_step(matches: TrainingMatches, actions: Any) -> Any:
        done.append(actions.clone())
        return step(matches, actions)

    monkeypatch.setattr(TrainingMatches, "advice", watched_advice)
    monkeypatch.setattr(TrainingMatches, "step", watched_step)
    rollout = group.play(False)
    # The last eight matches of 32 with two seats, and of 32 with three.
    with_bots = torch.zeros(64, dtype=torch.bool)
    with_bots[24:32] = with_bots[56:64] = True
    others = with_bots & (group.seats != torch.arange(64) % group.counts)
    assert (group.mine == ~others).all() and others.any()
    assert not rollout.has_choice[others.flatten()].any()
    wanted, taken = torch.cat(advised), torch.cat([one[24:] for one in done])
    assert (wanted[others[:, with_bots].flatten()] == taken[others[:, with_bots].flatten()]).all()


@needs_torch
def test_it_learns() -> None:
    """Imitating, it finds what the game's own bot does likelier and likelier; playing, it changes what it does."""
    settings = TrainingSettings(GAME.name, (2, 3), 1.0, matches=32, width=32, imitation=0.5, minibatch_size=256)
    learner = Learner(settings, "cpu", 1, GameSurvey((), 1.0))
    likelihoods = [learner.advance(0.1)["policy_objective"] for _ in range(12)]
    assert likelihoods[-1] > likelihoods[0] + 0.1
    before = learner.net.answer.weight.detach().clone()
    learner.remember()
    learner.advance(0.7)
    assert (before != learner.net.answer.weight).any()
    assert learner.decisions == 13 * 2 * 32 * settings.length
