"""One seat of a match as a Gymnasium environment; the other seats are played by bots.

>>> import gymnasium
>>> environment = gymnasium.make("ridotto.rl.gymnasium:ridotto/turandot-v1", players=3, seat=1, bots="random")
>>> seen, info = environment.reset(seed=7)
>>> seen["observation"].shape, int(seen["action_mask"].sum()) > 0
((1265,), True)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

import gymnasium

from ridotto import bots as bot_registry
from ridotto.bots import Budget
from ridotto.core.errors import BadSetup, IllegalAction
from ridotto.core.game import Game
from ridotto.engine.fields import Seat
from ridotto.games import GAMES, find
from ridotto.rl.environment import (
    RENDER_MODES,
    SEEDS,
    LegalActions,
    Matches,
    Reward,
    SeededMatch,
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
from ridotto.rl.pettingzoo import number_of
from ridotto.rl.tensors import Form, Tensors

MOST_WITHOUT_A_DECISION: Final = 1000
"""Matches from a position that may end before this seat has decided anything."""


class OneSeat(gymnasium.Env[Any, Any]):
    """An environment for one seat; `bots` play the others, by name: one for all of them, or one each in the order of seats.

    "random" and "greedy" draw from the dice of the match. Move by move they do the same as in the vector environment, in its
    environment number `number`; other bots (see `ridotto.bots`) get their seeds from these dice. The reward comes at the end:
    the share of the win or the score, less the mean. An action that is not legal raises IllegalAction; with
    `illegal="resign"` it resigns instead, and `info["illegal"]` says why, as Gymnasium's own checker needs it.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012
    """Every environment adds the version of the rules and the digest of the box."""

    def __init__(
        self,
        game: Game | str,
        players: int | None = None,
        options: Mapping[str, int] | None = None,
        *,
        seat: Seat = 0,
        bots: str | Sequence[str] = "greedy",
        reward: Reward = "share",
        history: int = 0,
        form: Form = "float32",
        traits: bool = False,
        features: bool = False,
        illegal: Literal["raise", "resign"] = "raise",
        number: int = 0,
        position: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
    ) -> None:
        check_reward(reward)
        if illegal not in ("raise", "resign"):
            raise BadSetup(f"an illegal action is to 'raise' or to 'resign', not {illegal!r}")
        check_render_mode(render_mode)
        check_form(form)
        self.game = find(game) if isinstance(game, str) else game
        self.metadata = {**type(self).metadata, "rules": self.game.version, "box": self.game.build().box}
        self.tensors = Tensors(self.game, players)
        self.players, self.seat, self.reward, self.render_mode = self.tensors.seats, seat, reward, render_mode
        self.illegal, self.history, self.form = illegal, history, form
        if seat not in range(self.players):
            raise BadSetup(f"there are seats 0 to {self.players - 1}, not {seat!r}")
        others = [one for one in range(self.players) if one != seat]
        names = [bots] * len(others) if isinstance(bots, str) else list(bots)
        if len(names) != len(others):
            raise BadSetup(f"{len(others)} other seats need as many bots, or one name for all, not {len(names)}")
        self.bots = {other: bot_registry.find(name) for other, name in zip(others, names, strict=True)}
        self.matches = Matches(self.game, self.players, options, number, position)
        actions = self.game.rules.ACTIONS.size
        check_history(history)
        self.traits = traits_for(self.tensors, traits, form)
        self.features = features
        self.observation_space = observation_space(self.tensors, actions, history, form, self.traits, features)
        self.action_space: LegalActions = LegalActions(actions, self._mask)
        self.match: SeededMatch | None = None

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.action_space.legal_mask = self._mask

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Deal the first match of a seed; without one, the next match. The option `position` says where it begins."""
        super().reset(seed=seed)
        self._begin(self.matches.next(seed, options))
        for _ in range(MOST_WITHOUT_A_DECISION):
            if self._match.to_act:
                break
            self._begin(self.matches.next())
        else:
            raise BadSetup(f"seat {self.seat} has nothing to decide from this position")
        return self._observation(), {"seat": self.seat}

    def _begin(self, match: SeededMatch) -> None:
        """Let the others decide until this seat has to, or the match is over."""
        self.match = match
        self._seated_bots = {seat: bot.sit() for seat, bot in self.bots.items()}
        self._play_others()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Do an action, then let the others decide until this seat has to act again. Raises IllegalAction."""
        match = self._match
        info: dict[str, Any] = {"seat": self.seat}
        try:
            match.play(number_of(action), self.seat)
        except IllegalAction as error:
            if self.illegal == "raise":
                raise
            match.resign(self.seat)
            info["illegal"] = str(error)
        self._play_others()
        return self._observation(), payoffs(match, self.reward)[self.seat], not match.to_act, False, info

    def action_masks(self) -> Any:
        """The legal actions, as flags, under the name that MaskablePPO expects."""
        return self._mask().astype(bool)

    def render(self) -> Any:
        """The match as this seat sees it."""
        return render(self._match, self.render_mode, self.seat)

    @property
    def _match(self) -> SeededMatch:
        if self.match is None:
            raise BadSetup("call reset() first")
        return self.match

    def _mask(self) -> Any:
        return legal_mask(self._match, self.seat, self.game.rules.ACTIONS.size)

    def _observation(self) -> dict[str, Any]:
        options = self.history, self.form, self.traits, self.features
        return observation(self.tensors, self._match, self.seat, self._mask(), *options)

    def _play_others(self) -> None:
        """Let the others decide, in the order of seats, until this seat is the first to act."""
        match = self._match
        while match.to_act and match.to_act[0] != self.seat:
            seat = match.to_act[0]
            match.play(self._choice(match, seat), seat)

    def _choice(self, match: SeededMatch, seat: Seat) -> int:
        build, bot = match.build, self._seated_bots[seat]
        if bot.name not in ("random", "greedy"):
            return bot.choose(match.view(seat), Budget(build.dice.draw(match.dice, SEEDS)))
        row, mask = build.copy(match.masked(seat)), build.mask()
        build.rules.legal(row, seat, mask)
        if bot.name == "random":
            return int(build.driver.random_action(mask, match.dice))
        return int(build.bot.policy(row, seat, mask, match.dice, build.events(muted=True), build.scratch()))


def single(game: Game | str, players: int | None = None, **more: Any) -> OneSeat:
    """One seat of a match as a Gymnasium environment; see `OneSeat`."""
    return OneSeat(game, players, **more)


for _name, _game in GAMES.items():
    gymnasium.register(
        f"ridotto/{_name}-v{_game.version}",
        "ridotto.rl.gymnasium:OneSeat",
        vector_entry_point="ridotto.rl.vector_env:VectorMatches",
        kwargs={"game": _name},
    )
