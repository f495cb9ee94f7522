"""What the environments with one match have in common: matches from a seed, observations, rewards and rendering."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal

import numpy
from gymnasium import spaces

from ridotto.core.drawing import compose
from ridotto.core.errors import BadSetup
from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import Seat
from ridotto.rl.tensors import Tensors

Reward = Literal["share", "score"]
RENDER_MODES: Final = ("human", "ansi", "svg", "rgb_array")


class SeededMatch(Match):
    """A match whose draws come from the given dice, for instance those of one row of a batch."""

    def __init__(self, game: Game, seats: int, options: Mapping[str, int] | None, dice: list[int]) -> None:
        self.dice = dice
        super().__init__(game, seats, options)

    def _draw_outcome(self, outcomes: int) -> int:
        return int(self.build.dice.draw(self.dice, outcomes))


class Matches:
    """The matches of one environment: each depends on the seed, the number of the environment and its own number alone."""

    def __init__(self, game: Game, seats: int, options: Mapping[str, int] | None, environment: int = 0) -> None:
        self.game, self.seats, self.options, self.environment = game, seats, game.settle(options), environment
        self.seed: int | None = None
        self.number = 0

    def next(self, seed: int | None = None) -> SeededMatch:
        """The first match of a new seed; without one, the next match of the old seed."""
        if seed is not None:
            self.seed, self.number = int(seed), 0
        elif self.seed is None:
            self.seed, self.number = secrets.randbits(62), 0
        else:
            self.number += 1
        dice = self.game.build().generator(self.seed, self.environment + (self.number << 32))
        return SeededMatch(self.game, self.seats, self.options, dice)


def payoffs(match: Match, reward: Reward) -> tuple[float, ...]:
    """The reward of each seat at the end of a match: its share of the win or its score, less the mean; 0 before the end."""
    outcome = match.outcome
    if outcome is None:
        return tuple([0.0] * match.seats)
    if reward == "score":
        mean = sum(outcome.scores) / match.seats
        return tuple(score - mean for score in outcome.scores)
    share = 1 / max(1, len(outcome.winners))
    return tuple((share if seat in outcome.winners else 0.0) - 1 / match.seats for seat in range(match.seats))


def check_reward(reward: str) -> None:
    if reward not in ("share", "score"):
        raise BadSetup(f"a reward is 'share' or 'score', not {reward!r}")


def check_render_mode(mode: str | None) -> None:
    if mode is not None and mode not in RENDER_MODES:
        raise BadSetup(f"there are the render modes {', '.join(RENDER_MODES)}, not {mode!r}")


# Spaces.


class LegalActions(spaces.Discrete):
    """The space of all actions; a sample without a mask is an action that is legal now."""

    def __init__(self, size: int, legal_mask: Callable[[], Any]) -> None:
        super().__init__(size)
        self._legal_mask = legal_mask

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        if mask is None and probability is None:
            mask = self._legal_mask()
        return super().sample(mask, probability)


def observation_space(tensors: Tensors, actions: int, history: int = 0) -> spaces.Dict:
    """The space of observations: a view as numbers, the mask of legal actions, and the last `history` events, if any."""
    low, high = tensors.bounds
    parts: dict[str, spaces.Space[Any]] = {
        "observation": spaces.Box(low, high, (tensors.size,), numpy.float32),
        "action_mask": spaces.Box(0, 1, (actions,), numpy.int8),
    }
    if history:
        parts["history"] = spaces.Box(-numpy.inf, numpy.inf, (history, tensors.history_width), numpy.float32)
    return spaces.Dict(parts)


def observation(tensors: Tensors, match: Match, seat: Seat, mask: Any, history: int = 0) -> dict[str, Any]:
    """The observation of a seat; secrets stay hidden when the match is over."""
    row = match.rules.FIELDS.masked(match.row, seat)
    parts = {"observation": tensors.encode(row, seat), "action_mask": mask}
    if history:
        parts["history"] = tensors.history(match.view(seat).seen, seat, history)
    return parts


def legal_mask(match: Match, seat: Seat, size: int) -> Any:
    """The legal actions of a seat, one number for each action; all 0 if it owes no decision."""
    mask = numpy.zeros(size, numpy.int8)
    mask[list(match.legal(seat).ids)] = 1
    return mask


# Pictures.


def render(match: Match, mode: str | None, viewer: Seat | None) -> Any:
    """The match as `viewer` (None: a spectator) sees it: printed, as text, as SVG, or as pixels."""
    if mode is None:
        return None
    view = match.view(viewer)
    if mode in ("human", "ansi"):
        from rich.markup import render as plain

        text = plain(match.game.drawing(view, match.game.english)).plain
        if mode == "ansi":
            return text
        print(text)
        return None
    drawn = match.game.picture
    svg = compose(match.game.panels(view, match.game.english), drawn.COLUMNS, drawn.STYLE)
    return svg if mode == "svg" else _pixels(svg)


def _pixels(svg: str) -> Any:
    try:
        import resvg_py
        from PIL import Image
    except ModuleNotFoundError as error:
        raise RidottoError(f"{error.name} is not installed: pip install 'ridotto[rl]'") from error
    from io import BytesIO

    return numpy.array(Image.open(BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=svg)))).convert("RGB"))
