"""The games as PettingZoo environments: agent by agent, or all agents at once.

>>> from ridotto.rl import aec
>>> environment = aec("opera", players=4)
>>> environment.reset(seed=7)
>>> str(environment), environment.agent_selection
('opera_v2', 'seat_0')
>>> observation, reward, terminated, truncated, info = environment.last()
>>> environment.step(environment.action_space("seat_0").sample(observation["action_mask"]))
>>> environment.agent_selection
'seat_1'
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from operator import index
from typing import Any

import numpy
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv

from ridotto.core.errors import BadNotation, BadSetup, IllegalAction
from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.engine.fields import Seat
from ridotto.games import find
from ridotto.present.ui import english
from ridotto.rl.environment import (
    RENDER_MODES,
    LegalActions,
    Matches,
    Reward,
    check_form,
    check_history,
    check_render_mode,
    check_reward,
    legal_mask,
    observation,
    observation_space,
    payoffs,
    render,
    traits_for,
)
from ridotto.rl.tensors import Form, Tensors

StepResult = tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]


class _Environment:
    """The common part of both kinds of environment: seats as agents, spaces, matches, rendering.

    Rewards come at the end: the share of the win, less an equal share (`reward="share"`), or the score, less the mean score
    of the match (`reward="score"`). With `history` the observation also contains that many of the last events, as
    `Tensors.history` encodes them. `render` shows what the seat `viewer` may see; None: a spectator.
    """

    has_wait_action = False
    """Whether there is an additional action, the only legal one of a seat that owes no decision."""

    def __init__(
        self,
        game: Game | str,
        players: int | None = None,
        options: Mapping[str, int] | None = None,
        *,
        reward: Reward = "share",
        history: int = 0,
        form: Form = "float32",
        traits: bool = False,
        features: bool = False,
        position: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
        viewer: Seat | None = None,
    ) -> None:
        check_reward(reward)
        check_render_mode(render_mode)
        check_form(form)
        self.game = find(game) if isinstance(game, str) else game
        self.tensors = Tensors(self.game, players)
        self.players, self.reward, self.render_mode, self.viewer = self.tensors.seats, reward, render_mode, viewer
        if viewer is not None and viewer not in range(self.players):
            raise BadSetup(f"the viewer is a seat from 0 to {self.players - 1} or None, not {viewer!r}")
        self.metadata = {
            "name": f"{self.game.name}_v{self.game.version}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "rules": self.game.version,
            "box": self.game.build().box,
            "render_fps": 1,
        }
        self.matches = Matches(self.game, self.players, options, position=position)
        self.possible_agents = [f"seat_{seat}" for seat in range(self.players)]
        self.agents: list[str] = []
        check_history(history)
        self.history, self.form, self.traits = history, form, traits_for(self.tensors, traits, form)
        self.features = features
        self.wait = self.game.rules.ACTIONS.size
        """The action of a seat that owes no decision, if `has_wait_action`."""
        size = self.wait + self.has_wait_action
        self._spaces = {
            agent: observation_space(self.tensors, size, history, form, self.traits, features) for agent in self.possible_agents
        }
        self._actions = {agent: LegalActions(size, partial(self._mask, agent)) for agent in self.possible_agents}
        self._whole = Tensors(self.game, players, is_whole=True)
        self.state_space = spaces.Box(*self._whole.bounds, (self._whole.size,), numpy.float32)
        self.match: Match | None = None

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        for agent, space in self._actions.items():
            space.legal_mask = partial(self._mask, agent)

    def observation_space(self, agent: str) -> Any:
        return self._spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self._actions[agent]

    def action_mask(self, agent: str) -> Any:
        """The legal actions of an agent, as flags."""
        return self._mask(agent).astype(bool)

    def observe(self, agent: str) -> dict[str, Any]:
        """The observation of an agent, and its legal actions."""
        options = self.history, self.form, self.traits, self.features
        return observation(self.tensors, self._match, self._seat(agent), self._mask(agent), *options)

    def state(self) -> Any:
        """The whole position without hiding anything, from the perspective of seat 0: for centralised critics."""
        return self._whole.encode(self._match.row, 0)

    def render(self) -> Any:
        return render(self._match, self.render_mode, self.viewer)

    def close(self) -> None:
        """There is nothing to close."""

    @property
    def _match(self) -> Match:
        if self.match is None:
            raise BadSetup("call reset() first")
        return self.match

    def _seat(self, agent: str) -> Seat:
        return self.possible_agents.index(agent)

    def _mask(self, agent: str) -> Any:
        mask = legal_mask(self._match, self._seat(agent), self.wait + self.has_wait_action)
        if self.has_wait_action and not mask.any():
            mask[self.wait] = 1
        return mask


class Agents(_Environment, AECEnv[str, dict[str, Any], Any]):
    """Agent by agent. Simultaneous choices are made in the order of seats, and agents see nothing of each other's choices."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal the first match of a seed; without one, the next match. The option `position` says where it begins."""
        self.match = self.matches.next(seed, options)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.match.to_act[0]]

    def step(self, action: Any) -> None:
        """Do an action of the selected agent, by its number. Raises IllegalAction."""
        agent = self.agent_selection
        match = self._match
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        match.play(number_of(action), self._seat(agent))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if match.to_act:
            self.agent_selection = self.possible_agents[match.to_act[0]]
        else:
            self.rewards = dict(zip(self.agents, payoffs(match, self.reward), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        self._accumulate_rewards()


class AllAtOnce(_Environment, ParallelEnv[str, dict[str, Any], Any]):
    """All agents at once: those that owe a decision decide together, the others wait, which is their only legal action."""

    has_wait_action = True

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """Deal the first match of a seed; without one, the next match. The option `position` says where it begins."""
        self.match = self.matches.next(seed, options)
        self.agents = self.possible_agents[:]
        return {agent: self.observe(agent) for agent in self.agents}, {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, Any]) -> StepResult:
        """Do one action of every agent. Raises IllegalAction if one of them is not legal, and then does nothing."""
        match = self._match
        agents, chosen = self.agents[:], {}
        for agent in agents:
            if agent not in actions:
                raise BadSetup(f"no action of {agent!r}: every agent has one, {self.wait} where it waits")
            seat, action = self._seat(agent), number_of(actions[agent])
            must_act = seat in match.to_act
            if must_act == (action == self.wait):
                why = "a decision is asked of it" if must_act else f"nothing is asked of it; legal: {self.wait}, to wait"
                message = f"illegal action {action} by seat {seat} at ply {match.ply}: {why}"
                raise IllegalAction(message)
            if must_act:
                if refusal := match.why(action, seat):
                    notation, words = self.game.rules.ACTIONS.notation(action), english(self.game)
                    message = f"illegal action {notation!r} by seat {seat} at ply {match.ply}: {words.refusal(refusal)}"
                    raise IllegalAction(message, refusal)
                chosen[seat] = action
        for seat, action in chosen.items():
            match.play(action, seat)
        over = not match.to_act
        if over:
            self.agents = []
        return (
            {agent: self.observe(agent) for agent in agents},
            dict(zip(agents, payoffs(match, self.reward), strict=True)),
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, False),
            {agent: {} for agent in agents},
        )


def number_of(action: Any) -> int:
    """The number of an action that is given as any type of whole number."""
    try:
        return index(action)
    except TypeError as error:
        raise BadNotation(f"an action is a whole number, not {action!r}") from error


def aec(game: Game | str, players: int | None = None, **more: Any) -> Agents:
    """A game as a PettingZoo environment, agent by agent; see `Agents`."""
    return Agents(game, players, **more)


def parallel(game: Game | str, players: int | None = None, **more: Any) -> AllAtOnce:
    """A game as a PettingZoo environment in which all agents act at once; see `AllAtOnce`."""
    return AllAtOnce(game, players, **more)
