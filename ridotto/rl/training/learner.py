"""Self-play with proximal policy optimisation (PPO; Schulman and others, 2017), for every number of seats at once.

The network plays all seats of many matches at the same time. After every `length` decisions in each of them it learns from
these: an action becomes more likely if the match went better than expected after it, and the expectations move towards what
happened. In some matches all seats but one are played by an earlier network, so that it does not forget how to beat it; if
that is wanted, in others by the game's own bot.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, Final

import numpy

from ridotto.bots.networks import TrainedNetwork
from ridotto.core.errors import BadSetup
from ridotto.core.game import Game
from ridotto.games import find
from ridotto.rl.tensors import Tensors
from ridotto.rl.training.matches import TrainingMatches
from ridotto.rl.training.model import inputs_of, new_network

log = logging.getLogger(__name__)

PAST: Final = 8
"""One in so many matches is played against an earlier network."""
MOST_PAST: Final = 12
"""The most earlier networks."""
FOLLOWED: Final = 0.75
"""The share of decisions in which the bot that is imitated is followed; in the others the network learns from its mistakes."""
IMITATION_PACE: Final = 2.5
"""The factor of the learning rate during imitation."""
TRIAL: Final = 256
"""Matches at a time in the survey of a game."""


FORMER_NAMES: Final = {"part": "minibatch_size", "trace": "gae_lambda"}
"""Settings in checkpoints up to version 0.1, which are still read."""


@dataclass(frozen=True)
class TrainingSettings:
    """The settings of a training, which determine it but for chance and the machine's speed."""

    game: str
    seats: tuple[int, ...]
    """The numbers of seats it learns to play with."""
    minutes: float
    seed: int = 1
    start: str | None = None
    """The digest of the network that it begins with; None: random weights."""
    times: tuple[int, ...] = ()
    """The factor of `matches` for each number of seats; (): 1."""
    matches: int = 16_384
    """Matches at a time, for each number of seats."""
    length: int = 64
    """Decisions in every match between two updates."""
    width: int = 512
    depth: int = 3
    """Layers after the first."""
    rate: float = 7e-4
    """The learning rate at the start; it falls to a twentieth."""
    entropy: float = 0.02
    """The entropy coefficient at the start; it falls to a tenth."""
    points: tuple[float, float] = (0.5, 0.0)
    """The part of the score in the reward, beside the win: at the start, and from `points_until` on."""
    points_until: float = 0.3
    """The share of the time after which the reward does not change any more."""
    imitation: float = 0.0
    """The share of the time in which it imitates the game's own bot, before it plays for itself."""
    bots: float = 0.0
    """The share of matches in which the game's own bot plays all seats but one."""
    epochs: int = 2
    """Passes over each rollout."""
    minibatch_size: int = 65_536
    """Decisions in one step of the optimizer."""
    gae_lambda: float = 0.95
    """The λ of generalized advantage estimation, for each decision of the same seat."""
    clip: float = 0.2
    is_whole: bool = False
    """Whether its inputs are everything that a row can hold, or only what matters at decisions; see `ridotto.core.tensors`."""
    has_features: bool = True
    """Whether its inputs include those of the game's `ai/features.py`."""

    def matches_with(self, seats: int) -> int:
        """Matches at a time with this number of seats."""
        return self.matches * (self.times[self.seats.index(seats)] if self.times else 1)

    def plain(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self) | {name: list(getattr(self, name)) for name in ("seats", "times", "points")}

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> TrainingSettings:
        """From plain data."""
        plain = {FORMER_NAMES.get(name, name): value for name, value in data.items()}
        values: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in plain.items()}
        return cls(**values)


@dataclass(frozen=True)
class GameSurvey:
    """Facts about a game, measured before learning it."""

    without: tuple[str, ...]
    """Fields that are the same in every decision."""
    score_deviation: float
    """The standard deviation of the scores of equal players within a match."""


class Learner:
    """A network, the matches it plays, and its optimizer."""

    def __init__(self, settings: TrainingSettings, device: str, threads: int, survey: GameSurvey) -> None:
        import torch

        self.torch, self.settings, self.device, self.threads = torch, settings, device, threads
        self.game: Game = find(settings.game)
        for seats in settings.seats:
            self.game.seat_count(seats)
        torch.manual_seed(settings.seed)
        self.survey = survey
        self.room, self.actions = self.game.seats[-1], self.game.rules.ACTIONS.size
        self.is_symmetric = Tensors(self.game).is_symmetric
        self.inputs = inputs_of(self.game, self.survey.without, settings.is_whole, settings.has_features)
        self.net = self._network()
        self.past_net = self._network()
        self.past: list[dict[str, Any]] = []
        is_fused = device == "cuda"
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=settings.rate, eps=1e-5, fused=is_fused)
        self.chance = random.Random(settings.seed)
        self.decisions = 0
        self.fast_loss: Any = torch.compile(self._loss, dynamic=False) if device == "cuda" else self._loss

    def _network(self) -> Any:
        shape = self.settings.width, self.settings.depth, self.actions, self.room
        return new_network(self.inputs, *shape).to(self.device)

    @cached_property
    def group(self) -> _Group:
        """The matches it plays, dealt at the first use."""
        settings = self.settings
        seed = settings.seed + self.decisions
        return _Group(self, [self._matches(n, settings.matches_with(n), seed, self.device) for n in settings.seats])

    def _matches(self, seats: int, size: int, seed: int, target: Any) -> TrainingMatches:
        settings = self.settings
        inputs = {"is_whole": settings.is_whole, "has_features": settings.has_features}
        return TrainingMatches(self.game, seats, size, seed, target, self.device, self.threads, self.survey.without, **inputs)

    def prepare(self) -> None:
        """Set up the matches and compile what they need, so that no time of learning is spent on it."""
        settings, group = self.settings, self.group
        for matches, fresh in zip(group.matches, group.fresh_parts, strict=True):
            legal, _ = matches.observe(fresh)
            if settings.imitation or settings.bots:
                matches.advice()
            matches.step(legal.int().argmax(-1))
        for imitates in (False, True) if settings.imitation else (False,):
            if self.fast_loss != self._loss:
                self._compile_loss(imitates)

    def _compile_loss(self, imitates: bool) -> None:
        """Let PyTorch compile the loss; otherwise it is computed eagerly, which is slower."""
        torch, size, device = self.torch, self.settings.minibatch_size, self.device

        def ones(*shape: int, dtype: Any = torch.float32) -> Any:
            return torch.ones(size, *shape, dtype=dtype, device=device)

        seen, legal = ones(self.inputs.shape[0], dtype=torch.bfloat16), ones(self.actions, dtype=torch.bool)
        minibatch = [seen, legal, ones(dtype=torch.long), ones(), ones(), ones(2, self.room), ones(self.room, dtype=torch.bool)]
        try:
            self.fast_loss(*minibatch, torch.ones((), device=device), imitates)[0].backward()
        except Exception as error:  # whatever the compiler has to say
            log.warning("the loss is not compiled, and learning is slower: %s", error)
            self.fast_loss = self._loss
        self.optimizer.zero_grad(set_to_none=True)

    def advance(self, done: float) -> dict[str, float]:
        """Play and learn once, when this share of the time is spent; returns some figures."""
        settings = self.settings
        imitates = done < settings.imitation
        # The steps become smaller towards the end, in imitating and in playing.
        left = 1 - done / settings.imitation if imitates else 1 - (done - settings.imitation) / (1 - settings.imitation)
        for group in self.optimizer.param_groups:
            group["lr"] = (IMITATION_PACE if imitates else 1) * settings.rate * (0.05 + 0.95 * min(1.0, max(0.0, left)))
        rollout = self.group.play(imitates)
        first, last = settings.points
        points = last + (first - last) * max(0.0, 1 - done / settings.points_until)
        figures = self._learn(rollout, imitates, points, settings.entropy * (0.1 + 0.9 * max(0.0, left)))
        self.decisions += rollout.decisions
        return figures | {"points": points}

    def remember(self) -> None:
        """Add the present network to its past selves."""
        self.past.append({name: value.detach().clone() for name, value in self.net.state_dict().items()})
        if len(self.past) > MOST_PAST:
            # Forget one at random, but not the newest: the others are spread over the whole time.
            del self.past[self.chance.randrange(len(self.past) - 1)]

    def relative(self, seats: Any, counts: Any) -> Any:
        """For each decision the number of every seat as its own seat counts it."""
        torch = self.torch
        numbers = torch.arange(self.room, device=self.device).expand(len(seats), -1)
        return (numbers - seats[:, None]) % counts[:, None] if self.is_symmetric else numbers

    def _learn(self, rollout: _Rollout, imitates: bool, points: float, entropy_coefficient: float) -> dict[str, float]:
        torch, settings = self.torch, self.settings
        advantages = (1 - points) * rollout.advantages[:, 0] + points * rollout.advantages[:, 1]
        choices = rollout.has_choice.nonzero().squeeze(1)
        mean, deviation = advantages[choices].mean(), advantages[choices].std() + 1e-8
        advantages = (advantages - mean) / deviation
        totals = torch.zeros(3, device=self.device)
        weight = torch.tensor(entropy_coefficient, device=self.device)
        steps = 0
        for _ in range(settings.epochs):
            order = choices[torch.randperm(len(choices), device=self.device)]
            # All minibatches are of one size; the remaining decisions are used in another epoch.
            for part in order.split(settings.minibatch_size)[: max(1, len(order) // settings.minibatch_size)]:
                minibatch = [array[part] for array in (rollout.seen, rollout.legal, rollout.actions, rollout.logs, advantages)]
                loss, figures = self.fast_loss(*minibatch, rollout.returns[part], rollout.present[part], weight, imitates)
                self.optimizer.zero_grad(set_to_none=True)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
                self.optimizer.step()
                totals += figures
                steps += 1
        error, entropy, policy_objective = (totals / max(1, steps)).tolist()
        return {"value_error": error, "entropy": entropy, "policy_objective": policy_objective}

    def _loss(
        self,
        seen: Any,
        legal: Any,
        actions: Any,
        old_logs: Any,
        advantages: Any,
        returns: Any,
        present: Any,
        entropy_coefficient: Any,
        imitates: bool,
    ) -> tuple[Any, Any]:
        """The loss of some decisions, and its parts: value error, entropy and policy objective."""
        torch, clip = self.torch, self.settings.clip
        with self._precision():
            logits, values = self.net(seen)
        logs = logits.masked_fill(~legal, -1e9).log_softmax(-1)
        chosen = logs.gather(-1, actions[:, None]).squeeze(-1)
        if imitates:
            policy_objective = chosen.mean()
        else:
            ratio = (chosen - old_logs).exp()
            policy_objective = torch.min(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages).mean()
        entropy = -(logs.exp() * logs.clamp_min(-30)).sum(-1).mean()
        errors = (values - returns).square() * present[:, None]
        error = errors.sum((1, 2)).mean() / self.room
        loss = 2 * error - policy_objective - entropy_coefficient * entropy
        return loss, torch.stack([error, entropy, policy_objective]).detach()

    def _precision(self) -> Any:
        return self.torch.autocast(self.device, self.torch.bfloat16, enabled=self.device == "cuda")

    # Strength.

    def measure(self, seats: int, size: int, seed: int) -> tuple[float, float]:
        """The share of `size` matches that it wins against the game's own bot at all other seats, and the standard error."""
        torch = self.torch
        matches = self._matches(seats, size, seed, "cpu")
        own = torch.arange(size, device=self.device) % seats
        seen = torch.empty(size, self.inputs.shape[0], device=self.device)
        won = torch.full((size,), float("nan"), device=self.device)
        with torch.no_grad():
            first = self.net.folded()
            while won.isnan().any():
                legal, acting = matches.observe(seen)
                best = self.net(seen, first)[0].masked_fill(~legal, -1e9).argmax(-1)
                ended, shares, _ = matches.step(torch.where(acting == own, best, matches.advice()))
                # Only the first match in each place counts: short ones would count too often.
                done = ended & won.isnan()
                won[done] = shares.gather(1, own[:, None]).squeeze(1)[done]
        return float(won.mean()), float(won.std() / size**0.5)

    # Saving.

    def start_from(self, network: TrainedNetwork) -> None:
        """Begin with the weights of a trained network instead of random ones, except for the expectation of scores."""
        if (why := self.differs(network)) is not None:
            raise BadSetup(f"cannot begin with that network: {why}")
        torch, net = self.torch, self.net
        outputs = network.last.shape[1]
        with torch.no_grad():
            net.first.weight.copy_(torch.as_tensor(network.first.T))
            for bias, weights in zip([net.first.bias, *(layer.bias for layer in net.layers)], network.biases, strict=True):
                bias.copy_(torch.as_tensor(weights))
            for layer, weights in zip(net.layers, network.layers, strict=True):
                layer.weight.copy_(torch.as_tensor(weights.T))
            net.answer.weight[:outputs].copy_(torch.as_tensor(network.last.T))
            net.answer.bias[:outputs].copy_(torch.as_tensor(network.last_bias))

    def differs(self, network: TrainedNetwork) -> str | None:
        """The difference in shape between a trained network and this one; None if there is none."""
        if network.facts["game"] != self.game.name or network.facts["box"] != self.game.build().box:
            return f"it is one of {network.facts['game']}, or of another box"
        inputs = tuple(network.facts["without"]), network.facts.get("is_whole", True), network.facts.get("has_features", False)
        if inputs != (self.survey.without, self.settings.is_whole, self.settings.has_features):
            return "it has other inputs"
        if network.first.shape[1] != self.settings.width or len(network.layers) != self.settings.depth:
            return f"it is {network.first.shape[1]} wide and has {len(network.layers)} layers after the first"
        return None

    def state(self) -> dict[str, Any]:
        """Everything that is needed to continue later."""
        return {
            "settings": self.settings.plain(),
            "look": {"without": list(self.survey.without), "spread": self.survey.score_deviation},
            "decisions": self.decisions,
            "net": self.net.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "past": self.past,
        }

    @classmethod
    def restored(cls, state: Mapping[str, Any], minutes: float, device: str, threads: int) -> Learner:
        """A learner that continues where another stopped, with new matches."""
        settings = replace(TrainingSettings.of(state["settings"]), minutes=minutes)
        stored = state["look"]
        survey = GameSurvey(tuple(stored["without"]), stored["spread"])
        learner = cls(settings, device, threads, survey)
        learner.net.load_state_dict(state["net"])
        learner.optimizer.load_state_dict(state["optimizer"])
        learner.past = [{name: value.to(device) for name, value in one.items()} for one in state["past"]]
        learner.decisions = state["decisions"]
        learner.chance = random.Random(settings.seed + learner.decisions)
        learner.torch.manual_seed(settings.seed + learner.decisions)
        return learner


@dataclass
class _Rollout:
    """The decisions of a rollout, one entry each."""

    decisions: int
    seen: Any
    legal: Any
    actions: Any
    logs: Any
    """The logarithm of the probability with which each action was chosen."""
    advantages: Any
    """Generalized advantage estimates: of the share of the win, and of the score."""
    returns: Any
    """The targets of the network's values, with seats counted from the acting one."""
    present: Any
    """The seats that exist, as flags."""
    has_choice: Any
    """Whether the network chose, among several legal actions."""


class _Group:
    """Matches for all numbers of seats, side by side in the same arrays."""

    def __init__(self, learner: Learner, matches: list[TrainingMatches]) -> None:
        torch, settings = learner.torch, learner.settings
        self.learner, self.matches = learner, matches
        size, length, device = sum(one.size for one in matches), settings.length, learner.device
        ends = numpy.cumsum([one.size for one in matches]).tolist()
        self.parts = [slice(end - one.size, end) for one, end in zip(matches, ends, strict=True)]
        counts = torch.cat([torch.full((one.size,), one.seats, device=device) for one in matches])
        self.counts, self.present = counts, torch.arange(learner.room, device=device) < counts[:, None]
        # Of each number of seats the last matches are those with the game's own bot, those before them with an earlier network.
        self.bots = [int(one.size * settings.bots) for one in matches]
        ends = [part.stop - bots for part, bots in zip(self.parts, self.bots, strict=True)]
        mixed = [torch.arange(end - one.size // PAST, end, device=device) for one, end in zip(matches, ends, strict=True)]
        self.mixed = torch.cat(mixed)
        self.with_bots = torch.cat(
            [torch.arange(end, part.stop, device=device) for part, end in zip(self.parts, ends, strict=True)]
        )
        self.own_seat = torch.arange(size, device=device) % counts

        def empty(*shape: int, dtype: Any = torch.float32) -> Any:
            return torch.empty(length, size, *shape, dtype=dtype, device=device)

        is_short = device == "cuda"
        self.seen = empty(learner.inputs.shape[0], dtype=torch.bfloat16 if is_short else torch.float32)
        self.fresh = torch.empty(size, learner.inputs.shape[0], device=device)
        self.fresh_parts = [self.fresh[part] for part in self.parts]
        self.legal = empty(learner.actions, dtype=torch.bool)
        self.actions, self.seats = empty(dtype=torch.long), empty(dtype=torch.long)
        self.mine, self.over = empty(dtype=torch.bool), empty(dtype=torch.bool)
        self.logs = empty()
        self.values, self.rewards = empty(2), empty(2, learner.room)

    def play(self, imitates: bool) -> _Rollout:
        """Play `length` decisions in every match."""
        torch, learner = self.learner.torch, self.learner
        net = learner.net
        past = learner.chance.choice(learner.past) if learner.past and not imitates else None
        if past is not None:
            learner.past_net.load_state_dict(past)
        self.rewards.zero_()
        with torch.no_grad(), learner._precision():
            first = net.folded().to(self.seen.dtype)
            past_first = learner.past_net.folded().to(self.seen.dtype)
            for step in range(learner.settings.length):
                for matches, part, fresh in zip(self.matches, self.parts, self.fresh_parts, strict=True):
                    self.legal[step, part], self.seats[step, part] = matches.observe(fresh)
                seen, legal, seats = self.seen[step], self.legal[step], self.seats[step]
                seen.copy_(self.fresh)
                logits, values = net(seen, first)
                self.mine[step] = True
                if past is not None:
                    others = (seats != self.own_seat)[self.mixed]
                    self.mine[step, self.mixed] = ~others
                    past_logits = learner.past_net(seen[self.mixed], past_first)[0]
                    logits[self.mixed] = torch.where(others[:, None], past_logits, logits[self.mixed])
                logs = logits.masked_fill(~legal, -1e9).log_softmax(-1)
                # With this noise (Gumbel) each action is chosen with its probability.
                actions = (logs - torch.empty_like(logs).exponential_().clamp_min_(1e-20).log()).argmax(-1)
                self.actions[step] = actions
                self.logs[step] = logs.gather(-1, actions[:, None]).squeeze(-1)
                self.values[step] = self._absolute(values, seats).gather(2, _each_of(seats)).squeeze(2)
                if len(self.with_bots) and not imitates:
                    others = (seats != self.own_seat)[self.with_bots]
                    self.mine[step, self.with_bots] = ~others
                    advice = [
                        matches.advice(matches.size - bots) for matches, bots in zip(self.matches, self.bots, strict=True)
                    ]
                    actions[self.with_bots] = torch.where(others, torch.cat(advice), actions[self.with_bots])
                if imitates:
                    advice = torch.cat([matches.advice() for matches in self.matches])
                    self.actions[step] = advice
                    actions = torch.where(torch.rand(len(advice), device=learner.device) < FOLLOWED, advice, actions)
                for matches, part in zip(self.matches, self.parts, strict=True):
                    self._step(step, matches, part, actions[part])
            last = [matches.observe(fresh) for matches, fresh in zip(self.matches, self.fresh_parts, strict=True)]
            last_seats = torch.cat([seats for _, seats in last])
            following = self._absolute(net(self.fresh.to(self.seen.dtype), first)[1], last_seats)
        return self._rollout(following)

    def _step(self, step: int, matches: TrainingMatches, part: slice, actions: Any) -> None:
        ended, shares, scores = matches.step(actions)
        self.over[step, part] = ended
        number, scale = matches.seats, 0.5 / self.learner.survey.score_deviation
        self.rewards[step, part, 0, :number] = (shares - 1 / number) * ended[:, None]
        self.rewards[step, part, 1, :number] = (scores - scores.mean(1, keepdim=True)) * scale

    def _absolute(self, values: Any, seats: Any) -> Any:
        """Values by the numbers of the seats, and 0 where there is no seat."""
        places = self.learner.relative(seats, self.counts)[:, None].expand(-1, 2, -1)
        return values.gather(2, places) * self.present[:, None]

    def _rollout(self, following: Any) -> _Rollout:
        """The rollout with generalized advantage estimates (Schulman and others, 2016).

        Every seat has a chain of its own decisions, with its own value estimates: others do not know its secrets. `following`
        are the value estimates of all seats after the last decision.
        """
        torch, learner, gae_lambda = self.learner.torch, self.learner, self.learner.settings.gae_lambda
        advantages, returns = torch.empty_like(self.values), torch.empty_like(self.rewards)
        # For each seat: the return and the value estimate at its next decision.
        coming, expected = following, following
        for step in range(learner.settings.length - 1, -1, -1):
            over, seats = self.over[step, :, None, None], _each_of(self.seats[step])
            coming, expected = (torch.where(over, self.rewards[step], one) for one in (coming, expected))
            own = self.values[step, :, :, None]
            target = gae_lambda * coming.gather(2, seats) + (1 - gae_lambda) * expected.gather(2, seats)
            advantages[step] = (target - own).squeeze(2)
            coming, expected = coming.scatter(2, seats, target), expected.scatter(2, seats, own)
            returns[step] = coming
        seats, counts = self.seats.flatten(), self.counts.repeat(learner.settings.length)
        numbers = torch.arange(learner.room, device=learner.device)
        places = (numbers + seats[:, None]) % counts[:, None] if learner.is_symmetric else numbers.expand(len(seats), -1)
        legal = self.legal.flatten(0, 1)
        return _Rollout(
            decisions=len(seats),
            seen=self.seen.flatten(0, 1),
            legal=legal,
            actions=self.actions.flatten(),
            logs=self.logs.flatten(),
            advantages=advantages.flatten(0, 1),
            returns=returns.flatten(0, 1).gather(2, places[:, None].expand(-1, 2, -1)),
            present=numbers < counts[:, None],
            has_choice=self.mine.flatten() & (legal.sum(-1) > 1),
        )


def _each_of(seats: Any) -> Any:
    """Seats as an index into arrays of (matches, share and score, seats)."""
    return seats[:, None, None].expand(-1, 2, 1)


def survey(game: Game, settings: TrainingSettings, threads: int) -> GameSurvey:
    """Survey a game in matches of its own bot, with some random actions."""
    import torch

    pieces: dict[str, bool] = {}
    deviations: list[float] = []
    dice = torch.Generator().manual_seed(settings.seed)
    for seats in settings.seats:
        matches = TrainingMatches(game, seats, TRIAL, settings.seed, "cpu", "cpu", threads, is_whole=settings.is_whole)
        seen = torch.empty(TRIAL, matches.elements)
        matches.observe(seen)
        low, high = seen.clone(), seen.clone()
        ended = torch.zeros(TRIAL, dtype=torch.bool)
        # In half of the matches every fifth action is a random one.
        is_random = torch.arange(TRIAL) % 2 == 1
        while not ended.all():
            legal, _ = matches.observe(seen)
            torch.minimum(low, seen, out=low)
            torch.maximum(high, seen, out=high)
            drawn = torch.where(legal, torch.rand(legal.shape, generator=dice), -1.0).argmax(-1)
            replaced = is_random & (torch.rand(TRIAL, generator=dice) < 0.2)
            over, _, scores = matches.step(torch.where(replaced, drawn, matches.advice()))
            finished = scores[over & ~is_random & ~ended]
            deviations += finished.std(1, correction=0).tolist() if len(finished) else []
            ended |= over
        lowest, highest = low.amin(0), high.amax(0)
        for name, low_piece in matches.tensors.split(lowest).items():
            varies = bool((low_piece != matches.tensors.split(highest)[name]).any())
            pieces[name] = pieces.get(name, False) or varies
    if not deviations or not any(pieces.values()):
        raise BadSetup(f"{game.name} leaves nothing to learn: nothing varies in it")
    without = tuple(name for name, varies in pieces.items() if not varies and name != "seats")
    return GameSurvey(without, max(1e-6, float(numpy.mean(deviations))))
