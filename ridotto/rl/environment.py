"""The common part of environments with one match: matches from a seed, observations, rewards and rendering."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any, Final, Literal, get_args

import numpy
from gymnasium import spaces

from ridotto.core.chance import Seeded
from ridotto.core.errors import BadSetup
from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import Row, Seat
from ridotto.present.ui import english, ui
from ridotto.rl.tensors import DTYPES, FORMS, Form, Tensors
from ridotto.rl.traits import Traits

Reward = Literal["share", "zero-sum", "score"]
SEEDS: Final = 1 << 31
"""The number of different seeds for a decision of a bot."""
IN_TESTS: Final = "options"
"""The option with which PettingZoo's own suite resets every environment, to see that there may be some."""
RENDER_MODES: Final = ("human", "ansi", "svg", "rgb_array")


class SeededMatch(Match):
    """A match whose draws come from the given dice, for instance those of one row of a batch."""

    def __init__(
        self,
        game: Game,
        seats: int,
        options: Mapping[str, int] | None,
        dice: list[int],
        position: Mapping[str, Any] | None = None,
    ) -> None:
        chance = Seeded(game.build(), dice)
        super().__init__(game, seats, options, chance=chance, position=position, deals_hidden=True)

    @property
    def dice(self) -> list[int]:
        """The dice as they are now."""
        assert isinstance(self.chance, Seeded)
        return self.chance.dice


class Matches:
    """The matches of one environment: each depends on the seed, the number of the environment and its own number alone.

    With a position, every match begins there; its hidden words are dealt again for each.
    """

    def __init__(
        self,
        game: Game,
        seats: int,
        options: Mapping[str, int] | None,
        environment: int = 0,
        position: Mapping[str, Any] | None = None,
    ) -> None:
        self.game, self.seats, self.options, self.environment = game, seats, game.settle(options), environment
        self.position = None if position is None else start_of(game, seats, options, position)
        self.seed: int | None = None
        self.number = 0

    def next(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> SeededMatch:
        """The first match of a new seed; without one, the next match of the old seed.

        The only option of a reset is `position`: where this one match begins.
        """
        check_reset_options(options, "position")
        given = (options or {}).get("position")
        position = self.position if given is None else start_of(self.game, self.seats, self.options, given)
        if seed is not None:
            self.seed, self.number = int(seed), 0
        elif self.seed is None:
            self.seed, self.number = secrets.randbits(62), 0
        else:
            self.number += 1
        dice = self.game.build().generator(self.seed, self.environment + (self.number << 32))
        return SeededMatch(self.game, self.seats, self.options, dice, position)


def start_of(game: Game, seats: int, options: Mapping[str, int] | None, position: Mapping[str, Any]) -> Mapping[str, Any]:
    """The position, if matches of such an environment can begin with it: a seat has to decide there."""
    if not isinstance(position, Mapping):
        raise BadSetup(f"a position is a mapping of fields, such as `match.position()` gives, not {type(position).__name__}")
    match = Match(game, position=position, deals_hidden=True)
    if match.seats != seats:
        raise BadSetup(f"the position is one of {match.seats} seats; this environment has {seats}")
    if options and match.options != game.settle(options):
        raise BadSetup(f"the position is played with the options {match.options}, not {dict(options)}")
    if not match.to_act:
        raise BadSetup("the match is over in this position: nobody has to decide there")
    return position


def check_reset_options(options: Mapping[str, Any] | None, *known: str) -> None:
    """Refuse unknown options of `reset`."""
    for name in options or ():
        if name not in (*known, IN_TESTS):
            there = f"it has: {', '.join(known)}; options of the game are given when the environment is made"
            raise BadSetup(f"reset has no option {name!r}; {there}")


def payoffs(match: Match, reward: Reward) -> tuple[float, ...]:
    """The reward of each seat at the end of a match: its share of the win or its score, less the mean; 0 before the end.

    Where nobody wins, every seat loses an equal share; with "zero-sum" nobody loses anything.
    """
    outcome = match.outcome
    if outcome is None:
        return tuple([0.0] * match.seats)
    if reward == "score":
        mean = sum(outcome.scores) / match.seats
        return tuple(score - mean for score in outcome.scores)
    if reward == "zero-sum" and not outcome.winners:
        return tuple([0.0] * match.seats)
    share = 1 / max(1, len(outcome.winners))
    return tuple((share if seat in outcome.winners else 0.0) - 1 / match.seats for seat in range(match.seats))


def check_reward(reward: str) -> None:
    if reward not in get_args(Reward):
        raise BadSetup(f"a reward is one of {', '.join(map(repr, get_args(Reward)))}, not {reward!r}")


def check_form(form: str) -> None:
    if form not in FORMS:
        raise BadSetup(f"the form of an observation is one of {', '.join(map(repr, FORMS))}, not {form!r}")


def traits_for(tensors: Tensors, traits: bool, form: Form) -> Traits | None:
    """The conversion of names of cards to traits, if requested."""
    if traits and form != "float32":
        raise BadSetup(f"traits of cards are numbers of the form 'float32', not {form!r}")
    return Traits(tensors) if traits else None


def check_history(history: int) -> None:
    if history < 0:
        raise BadSetup(f"a history has 0 events or more, not {history}")


def check_render_mode(mode: str | None) -> None:
    if mode is not None and mode not in RENDER_MODES:
        raise BadSetup(f"there are the render modes {', '.join(RENDER_MODES)}, not {mode!r}")


# Spaces.


class LegalActions(spaces.Discrete):
    """The space of all actions; a sample without a mask is an action that is legal now.

    A copy of the space alone knows no match: there every action may be drawn. An environment that is copied connects its own.
    """

    def __init__(self, size: int, legal_mask: Callable[[], Any]) -> None:
        super().__init__(size)
        self.legal_mask: Callable[[], Any] | None = legal_mask

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "legal_mask": None}

    def __deepcopy__(self, memo: Any) -> LegalActions:
        copied = LegalActions.__new__(LegalActions)
        memo[id(self)] = copied
        vars(copied).update(deepcopy(self.__getstate__(), memo))
        return copied

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        if mask is None and probability is None and self.legal_mask is not None:
            mask = self.legal_mask()
        return super().sample(mask, probability)


def observation_space(
    tensors: Tensors,
    actions: int,
    history: int = 0,
    form: Form = "float32",
    traits: Traits | None = None,
    has_features: bool = False,
) -> spaces.Dict:
    """The space of observations: a view as numbers, the mask of legal actions, and what else was asked for."""
    low, high = tensors.form_bounds(form) if traits is None else traits.bounds
    parts: dict[str, spaces.Space[Any]] = {
        "observation": spaces.Box(low, high, low.shape, numpy.dtype(DTYPES[form]).type),
        "action_mask": spaces.Box(0, 1, (actions,), numpy.int8),
    }
    if history:
        parts["history"] = spaces.Box(-numpy.inf, numpy.inf, (history, tensors.event_lines.size), numpy.float32)
    if has_features:
        parts["features"] = spaces.Box(-numpy.inf, numpy.inf, (feature_count(tensors.game),), numpy.float32)
    return spaces.Dict(parts)


def observation(
    tensors: Tensors,
    match: Match,
    seat: Seat,
    mask: Any,
    history: int = 0,
    form: Form = "float32",
    traits: Traits | None = None,
    has_features: bool = False,
) -> dict[str, Any]:
    """The observation of a seat; secrets stay hidden when the match is over."""
    row = match.rules.FIELDS.masked(match.row, seat)
    seen = tensors.encode_as(row, seat, form)
    parts = {"observation": seen if traits is None else traits.encode(seen), "action_mask": mask}
    if history:
        parts["history"] = tensors.history(match.view(seat).seen, seat, history)
    if has_features:
        game = tensors.game
        parts["features"] = features(game, row, seat) if seat in match.to_act else numpy.zeros(feature_count(game), "float32")
    return parts


def feature_count(game: Game) -> int:
    """The number of features of the game's `ai/features.py`. Raises an error for a game without features."""
    count = game.build().features.COUNT
    if not count:
        raise BadSetup(f"{game.name} has no features: there is nothing to show besides the row")
    return count


def features(game: Game, masked: Row, seat: Seat) -> Any:
    """The features of the game's `ai/features.py` for a seat that owes a decision."""
    build, out = game.build("cpu"), numpy.zeros(feature_count(game), "float32")
    row, mask = build.copy(masked), build.mask()
    build.rules.legal(row, seat, mask)
    build.features.compute(row, seat, mask, build.scratch(), out, 0)  # type: ignore[arg-type]
    return out


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

        text = plain(ui(match.game).drawing(view, english(match.game))).plain
        if mode == "ansi":
            return text
        print(text)
        return None
    svg = ui(match.game).file(view, english(match.game))
    return svg if mode == "svg" else _pixels(svg)


def _pixels(svg: str) -> Any:
    try:
        import resvg_py
        from PIL import Image
    except ModuleNotFoundError as error:
        raise RidottoError(f"{error.name} is not installed: pip install 'ridotto[rl]'") from error
    from io import BytesIO

    return numpy.array(Image.open(BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=svg)))).convert("RGB"))
