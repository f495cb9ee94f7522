"""Trained networks: their files, and the bots that play by them.

A game may have a `network.npz` in its folder `ai`, made by `ridotto train`. `net` plays the network's best action; `net:400`
and `net:100ms` search with it. A network plays with the box, the options and the numbers of seats it was trained with alone:
elsewhere the search plays without it, and `reason_against` gives the reason.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar, Final
from zipfile import BadZipFile

from ridotto.bots import chances
from ridotto.bots.bot import Bot, Budget, Opinion
from ridotto.bots.packed import Stored, facts_in, read, weights_in
from ridotto.bots.search import DRAW_PARTS, Search
from ridotto.core import position
from ridotto.core.game import Game
from ridotto.core.tensors import Tensors
from ridotto.core.tuning import SearchSettings
from ridotto.core.view import View
from ridotto.engine import build as builds
from ridotto.engine.arrays import Network
from ridotto.engine.build import Build
from ridotto.engine.errors import RidottoError
from ridotto.engine.exponential import exp
from ridotto.engine.fields import Target

FORMAT: Final = "ridotto network 1"
FILE: Final = "ai/network.npz"
LEVELS: Final = 127
"""The largest stored weight: weights are whole numbers, times a scale for each output."""
SUBSTITUTE: Final = 1000
"""The playouts of the search that plays where `net` has no network."""
SETTINGS: Final = SearchSettings(c_puct=500, fpu_reduction=100)
"""The settings of a search with a network."""

HIDDEN_TEMPERATURE: Final = 0.5
"""The temperature at which choices that others do not see are drawn: lower than in learning, where it also has to explore."""

WORK: Final = ("masked", "legal", "scratch", "seen", "hidden", "sums", "used", "chances", "answers")
"""The work arrays of a network: each thread has its own."""

log = logging.getLogger(__name__)


class BadNetwork(RidottoError, ValueError):
    """A file that is not a network."""


@dataclass(frozen=True, eq=False)
class KnownNetwork:
    """Facts about a network, by which it is decided where it plays.

    `facts` name the game, the version of its rules, its box, its options, the numbers of seats it was trained for, and how
    it was trained; `plays` are other versions of the rules in which it has been measured. `is_whole` says whether its inputs
    are whole arrays (see `ridotto.core.tensors`), `has_features` whether they include those of the game's `ai/features.py`.
    """

    facts: Mapping[str, Any]

    def weights_on(self, build: Build) -> tuple[Any, ...]:
        """The weights in the form that a build works on: of the first layer by element, then of the others, and biases."""
        raise NotImplementedError

    def reason_against(self, game: Game, seats: int, options: Mapping[str, int]) -> str | None:
        """The reason why this network cannot play here; None if it can."""
        facts = self.facts
        if facts["game"] != game.name:
            return f"the network is one of {facts['game']}"
        if game.version not in facts.get("plays", [facts["rules"]]):
            return f"the network was trained by version {facts['rules']} of the rules"
        if facts["box"] != game.build().box:
            return "the network was trained with another box"
        if seats not in facts["seats"]:
            return f"the network was not trained for {seats} seats"
        others = [name for name, value in options.items() if value != facts["options"].get(name)]
        if others:
            return f"the network was not trained with the option {', '.join(others)}"
        return None

    def for_seats(self, game: Game, seats: int, target: Target = "cpu") -> Network:
        """The network for a table of this size, for compiled code, with work arrays of its own."""
        is_whole = self.facts.get("is_whole", True)
        tensors = Tensors(game, seats, is_padded=True, is_whole=is_whole, without=self.facts["without"])
        build = game.build(target)
        weights, layers, biases, last, last_bias = self.weights_on(build)
        elements = tensors.size + (build.features.COUNT if self.facts.get("has_features") else 0)
        if elements != len(weights):
            raise BadNetwork(f"the network has {len(weights)} elements, but {game.name} has {elements}")
        rules = build.rules
        width, room = weights.shape[1], game.seats[-1]
        answers = rules.ACTIONS.size + room
        if last.shape != (width, answers):
            raise BadNetwork(f"the network has {last.shape[1]} answers, but {game.name} needs {answers}")
        work: list[Any] = [
            build.row(),
            build.mask(),
            build.scratch(),
            build.array(elements, "float32"),
            build.array(width, "float32"),
            build.array(width, "float32"),
            build.array(max(elements, width), "int32"),
            build.array(rules.ACTIONS.size, "float32"),
            build.array(answers, "float32"),
        ]
        encoding = tensors.encoding_on(build)
        return Network(encoding, weights, layers, biases, last, last_bias, seats, tensors.is_symmetric, *work)


@dataclass(frozen=True, eq=False)
class TrainedNetwork(KnownNetwork):
    """A network from a file: facts about it, and the weights of its layers."""

    inputs: Any
    """The matrix from the elements of a view to inputs, (elements, inputs), mostly 0."""
    first: Any
    layers: Any
    biases: Any
    last: Any
    last_bias: Any

    def weights_on(self, build: Build) -> tuple[Any, ...]:
        arrays = self._folded, self.layers, self.biases, self.last, self.last_bias
        return arrays if build.target == "cpu" else tuple(build.copy(array, "float32") for array in arrays)

    @cached_property
    def _folded(self) -> Any:
        """The weights of the first layer by element: inputs are sums of elements, so both steps are one.

        They are added up in the order of the inputs, so that every machine gets the same weights.
        """
        import numpy

        elements, inputs = self.inputs.nonzero()
        folded = numpy.zeros((len(self.inputs), self.first.shape[1]), "float32")
        numpy.add.at(folded, elements, self.inputs[elements, inputs][:, None] * self.first[inputs])
        return folded

    @cached_property
    def digest(self) -> str:
        """A digest of everything that determines its output."""
        total = hashlib.sha256()
        for array in (self.inputs, self.first, self.layers, self.biases, self.last, self.last_bias):
            total.update(array.tobytes())
        return total.hexdigest()[:16]


@dataclass(frozen=True, eq=False)
class PackedNetwork(KnownNetwork):
    """A network as its file has it, where there is no NumPy."""

    arrays: Mapping[str, Stored] = field(repr=False)

    def weights_on(self, build: Build) -> tuple[Any, ...]:
        return weights_in(self.arrays, build)


# Files.


def save(network: TrainedNetwork, path: Path) -> None:
    """Write a network into a file, with weights of one byte."""
    import numpy

    rows, columns = network.inputs.nonzero()
    arrays: dict[str, Any] = {
        "facts": numpy.frombuffer(json.dumps({"format": FORMAT, **network.facts}, ensure_ascii=False).encode(), "uint8"),
        "shape": numpy.array(network.inputs.shape, "int32"),
        "rows": rows.astype("int32"),
        "columns": columns.astype("int32"),
        "numbers": network.inputs[rows, columns].astype("float32"),
        "biases": network.biases.astype("float16"),
        "last_bias": network.last_bias.astype("float16"),
    }
    for name in ("first", "layers", "last"):
        weights = getattr(network, name)
        scale = numpy.maximum(abs(weights).max(axis=-2, keepdims=True), 1e-12) / LEVELS
        scale = scale.astype("float32")
        arrays[name], arrays[f"{name}_scale"] = numpy.round(weights / scale).astype("int8"), scale
    with path.open("wb") as file:
        numpy.savez_compressed(file, **arrays)


def load(path: Path) -> TrainedNetwork:
    """The network in a file."""
    import numpy

    try:
        with path.open("rb") as opened, numpy.load(opened, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        facts = json.loads(arrays["facts"].tobytes())
        if not isinstance(facts, dict) or facts.pop("format") != FORMAT:
            raise BadNetwork(f"{str(path)!r} is not a network of a format that this version knows")
        inputs = numpy.zeros(arrays["shape"], "float32")
        inputs[arrays["rows"], arrays["columns"]] = arrays["numbers"]
        weights = {name: arrays[name].astype("float32") * arrays[f"{name}_scale"] for name in ("first", "layers", "last")}
        biases = {name: arrays[name].astype("float32") for name in ("biases", "last_bias")}
        return TrainedNetwork(facts, inputs, **weights, **biases)
    except OSError as error:
        raise BadNetwork(f"cannot read the network {str(path)!r}: {error.strerror or error}") from error
    except (KeyError, ValueError, TypeError, IndexError, EOFError, BadZipFile) as error:
        raise BadNetwork(f"{str(path)!r} is not a network: {error}") from error


def load_packed(path: Path) -> PackedNetwork:
    """The network in a file of ours, without NumPy."""
    arrays = read(path)
    return PackedNetwork(facts_in(arrays), arrays)


@cache
def _load_once(path: Path) -> KnownNetwork | None:
    if not path.exists():
        return None
    return load(path) if find_spec("numpy") else load_packed(path)


def file_of(game: Game) -> Path:
    """The file of a game's network, which need not exist."""
    return builds.folder(game.package) / FILE


def network_of(game: Game) -> KnownNetwork | None:
    """The network of a game; None if it has none."""
    return _load_once(file_of(game))


@cache
def _ready(network: KnownNetwork, game: Game, seats: int, target: Target) -> Network:
    return network.for_seats(game, seats, target)


def reason_against(game: Game, seats: int, options: Mapping[str, int]) -> str | None:
    """The reason why the network of a game cannot play at such a table; None if it can."""
    network = network_of(game)
    return f"{game.name} has no network" if network is None else network.reason_against(game, seats, options)


@cache
def say_once(why: str) -> None:
    """Say in the log why a network does not play."""
    log.warning("%s: the search plays without it", why)


def _help(view: View, network: KnownNetwork | None, target: Target = "cpu") -> Network | None:
    """The network for a view, with work arrays of its own; None, with one line in the log, where it cannot play."""
    network = network or network_of(view.game)
    options = position.options_of(view.game, view.row)
    why = f"{view.game.name} has no network" if network is None else network.reason_against(view.game, view.seats, options)
    if network is None or why is not None:
        say_once(str(why))
        return None
    ready = _ready(network, view.game, view.seats, target)
    return ready._replace(**{name: getattr(ready, name).copy() for name in WORK})


def compiled_target(target: Target) -> Target:
    """The target on which a network is evaluated: interpreted, it would take too long."""
    return "cpu" if target == "python" else target


# Bots.


@dataclass(frozen=True)
class Net:
    """Plays a trained network's best action, without a search; choices that others do not see are drawn by probability.

    With a `temperature` all choices are drawn: by probability at 1, and the higher, the more often it errs. It may `overlook`
    actions, each with this probability, except for a random one: so it misses chances, as people do.
    """

    name: str = "net"
    network: KnownNetwork | None = field(default=None, repr=False)
    """The network; None: the one of the game."""
    temperature: float = 0.0
    overlook: float = 0.0
    is_repeatable: ClassVar[bool] = True

    def choose(self, view: View, budget: Budget) -> int:
        assert view.seat is not None
        if len(view.legal) == 1:
            return view.legal[0]
        target = compiled_target(budget.target)
        network = _help(view, self.network, target)
        if network is None:
            return Search(SUBSTITUTE).choose(view, budget)
        build = view.game.build(target)
        row, mask = build.copy(view.row), build.mask()
        dice, seen = build.generator(budget.seed, 1), view.legal
        if self.overlook:
            sure = seen[build.dice.draw(dice, len(seen))]
            seen = tuple(one for one in seen if one == sure or build.dice.draw(dice, DRAW_PARTS) >= self.overlook * DRAW_PARTS)
        for action in seen:
            build.dice.allow(mask, action, 1)
        build.network.evaluate(row, view.seat, network)
        if self.temperature or build.search.IS_HIDDEN[seen[0]]:
            build.network.likelihoods(mask, network, self.temperature or HIDDEN_TEMPERATURE)
            point = build.dice.draw(dice, DRAW_PARTS) / DRAW_PARTS
            for action, chance in zip(seen, network.chances, strict=False):
                point -= chance
                if point < 0:
                    return action
        return int(build.network.best_action(mask, network))

    def chances(self, view: View) -> dict[int, float] | None:
        """The probability of each action; see `StatesChances`."""
        network, legal = _help(view, self.network), view.legal
        if network is None or view.seat is None:
            return None
        build = view.game.build("cpu")
        build.network.evaluate(build.copy(view.row), view.seat, network)
        answers = [float(network.answers[action]) for action in legal]
        hidden = {bool(build.search.IS_HIDDEN[action]) for action in legal}
        if self.temperature or hidden == {True}:
            warm, highest = self.temperature or HIDDEN_TEMPERATURE, max(answers)
            weights = [exp((answer - highest) / warm) for answer in answers]
            return dict(zip(legal, chances.of_drawn(weights, self.overlook), strict=True))
        if hidden == {False}:
            order = sorted(range(len(legal)), key=lambda at: (-answers[at], legal[at]))
            by_rank = chances.of_best(len(legal), self.overlook)
            return {legal[at]: chance for at, chance in zip(order, by_rank, strict=True)}
        return None

    def opinion(self, view: View, budget: Budget) -> Opinion | None:
        return None

    def sit(self) -> Bot:
        return self


@dataclass(frozen=True)
class NetSearch(Search):
    """The tree search with a trained network as its prior and its evaluation."""

    network: KnownNetwork | None = field(default=None, repr=False)
    """The network; None: the one of the game."""
    nodes_a_playout: ClassVar[int] = 8

    def help_for(self, view: View, target: Target) -> tuple[Network, SearchSettings] | None:
        network = _help(view, self.network, compiled_target(target))
        return None if network is None else (network, self.settings or SETTINGS)
