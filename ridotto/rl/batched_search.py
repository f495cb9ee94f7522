"""A tree search whose positions are judged by whatever you have trained: many searches at once, one call for all their leaves.

The evaluator is any function. It gets observations as the environments show them, one a line, and gives two arrays: a number
for each action, the higher the better (what is not legal is left out), and what the match is worth, as shares of the win: one
number a line for the seat that looks, or one for each seat, counted from that seat.

    def evaluate(seen):
        logits, value = network(torch.as_tensor(seen["observation"]))
        return logits.numpy(), value.numpy()

    search = BatchedSearch(evaluate, playouts=64)
    actions = search.choose_many([match.view(match.to_act[0]) for match in matches])

Each playout draws a world that the seat may think it is in, as the bots of the game do, and goes down the tree of what seats
have seen by PUCT (Silver et al. 2017; Cowling, Powley and Whitehouse 2012). The rules are compiled, the tree is Python.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any, ClassVar, Final

import numpy

from ridotto.bots.bot import Bot, Budget, Opinion, Ranked
from ridotto.core.errors import BadSetup
from ridotto.core.view import View
from ridotto.engine.fields import Seat
from ridotto.rl.environment import features
from ridotto.rl.tensors import Tensors

Evaluator = Callable[[dict[str, Any]], tuple[Any, Any]]
"""From observations ("observation", "action_mask", "features" if asked for) to numbers for actions and shares of the win."""
DRAW_PARTS: Final = 1 << 24
"""The resolution of a draw among actions."""


def _actions_in(mask: Any) -> tuple[int, ...]:
    """The actions of a mask, in ascending order."""
    return tuple(numpy.flatnonzero(numpy.unpackbits(mask.view("uint8"), bitorder="little")).tolist())


class _Node:
    """An information set: the legal actions, their priors and statistics."""

    def __init__(self, actions: tuple[int, ...], prior: Any, value: float) -> None:
        self.actions, self.prior, self.value = actions, prior, value
        self.visits, self.totals = numpy.zeros(len(actions)), numpy.zeros(len(actions))

    def best(self, c_puct: float) -> int:
        """The place of the action to try next, by PUCT; an untried action counts as the value of the node."""
        means = numpy.where(self.visits > 0, self.totals / numpy.maximum(1, self.visits), self.value)
        return int((means + c_puct * self.prior * sqrt(1 + self.visits.sum()) / (1 + self.visits)).argmax())


@dataclass
class _Leaf:
    """The position at which a playout leaves the tree."""

    key: tuple[Seat, int, int]
    row: Any
    actions: tuple[int, ...]
    path: list[tuple[_Node, int, Seat]]


class _Search:
    """The search for one view."""

    def __init__(self, view: View, seed: int, c_puct: float) -> None:
        assert view.seat is not None
        self.view, self.c_puct, self.seat = view, c_puct, view.seat
        self.build = view.game.build("cpu")
        self.masked, self.world = self.build.copy(view.row), self.build.row()
        self.build.bot.recall(self.masked, view.seat)
        self.belief = self.build.copy(self.build.bot.believe(self.build, view), "int64")
        self.dice, self.events, self.mask = self.build.generator(seed), self.build.events(muted=True), self.build.mask()
        self.nodes: dict[tuple[Seat, int, int], _Node] = {}
        self.root: _Node | None = None
        self.values = numpy.zeros(view.seats)
        self.playouts = 0

    def descend(self) -> _Leaf | None:
        """Draw a world and go down the tree; returns the leaf, or None if the match ended before."""
        rules, search, world = self.build.rules, self.build.search, self.world
        search.draw_world(world, self.masked, self.seat, self.belief, self.dice)
        path: list[tuple[_Node, int, Seat]] = []
        waiting = 1 << self.seat  # other seats with a simultaneous choice choose later: they see nothing of this one
        while waiting:
            seat = int(self.build.dice.lowest(waiting))
            rules.legal(world, seat, self.mask)
            actions = _actions_in(self.mask)
            place = 0
            if len(actions) > 1:
                first = int(search.hash_infostate(world, seat, search.FIRST_MULTIPLIERS))
                second = int(search.hash_infostate(world, seat, search.SECOND_MULTIPLIERS))
                key = seat, first, second
                node = self.nodes.get(key)
                if node is None:
                    return _Leaf(key, world.copy(), actions, path)
                place = node.best(self.c_puct)
                node.visits[place] += 1  # a loss until it is known better, so that playouts at the same time go elsewhere
                path.append((node, place, seat))
            rules.apply(world, seat, actions[place], self.dice, self.events)
            waiting = int(rules.to_act(world))
        won = int(rules.winners(world))
        shares = numpy.array([won >> seat & 1 for seat in range(self.view.seats)], "float64")
        self.note(path, shares / shares.sum() if won else shares)
        return None

    def grow(self, leaf: _Leaf, logits: Any, values: Any) -> None:
        """Add a leaf to the tree with what the evaluator thinks of it."""
        if leaf.key not in self.nodes:
            likely = numpy.exp(logits - logits.max())
            node = self.nodes[leaf.key] = _Node(leaf.actions, likely / likely.sum(), float(values[leaf.key[0]]))
            if not leaf.path:
                self.root = node
        self.note(leaf.path, values)

    def note(self, path: list[tuple[_Node, int, Seat]], values: Any) -> None:
        for node, place, seat in path:
            node.totals[place] += values[seat]
        self.values += values
        self.playouts += 1

    def opinion(self) -> Opinion:
        """The opinion: actions by visits, and before any visits by the prior."""
        if self.root is None:  # there is one action
            ranked = [Ranked(self.view.legal[0], 0, 0.0, 1.0)]
            return Opinion((1 / self.view.seats,) * self.view.seats, tuple(ranked), 0)
        node, hidden = self.root, bool(self.build.search.IS_HIDDEN[self.view.legal[0]])
        weights = node.visits + node.prior if hidden else numpy.eye(len(node.actions))[(node.visits + node.prior).argmax()]
        means = node.totals / numpy.maximum(1, node.visits)
        shares = weights / weights.sum()
        columns = node.actions, node.visits.astype(int).tolist(), means.tolist(), shares.tolist()
        actions = [Ranked(*one) for one in zip(*columns, strict=True)]
        actions.sort(key=lambda one: (-one.share, -one.visits, one.action))
        return Opinion(tuple((self.values / self.playouts).tolist()), tuple(actions), self.playouts, hidden)


@dataclass(frozen=True)
class BatchedSearch:
    """A search with an evaluator of your own, for one view (as any bot) or for many at once.

    It makes `playouts` for each decision, `at_once` of them between two calls of the evaluator: with more, batches are larger,
    and the less each playout knows of the others.
    """

    evaluate: Evaluator
    playouts: int = 64
    at_once: int = 1
    c_puct: float = 1.5
    has_features: bool = False
    """Whether the evaluator's input includes the features of the game's `ai/features.py`."""
    name: str = "batched search"
    is_repeatable: ClassVar[bool] = True
    _tensors: dict[tuple[Any, int], Tensors] = field(default_factory=dict, init=False, repr=False, compare=False)

    def opinions(self, views: Sequence[View], seeds: Sequence[int] | None = None) -> list[Opinion]:
        """Its opinion of each view; the same views and seeds give the same opinions, whatever is searched beside them."""
        if len({(view.game, view.seats) for view in views}) > 1:
            raise BadSetup("views that are searched at once are those of one game and number of seats")
        seeds = range(len(views)) if seeds is None else seeds
        searches = [_Search(view, seed, self.c_puct) for view, seed in zip(views, seeds, strict=True)]
        thinking = [one for one in searches if len(one.view.legal) > 1]
        while any(one.playouts < self.playouts for one in thinking):
            asked = []
            for one in thinking:
                for _ in range(min(self.at_once if one.root else 1, self.playouts - one.playouts)):
                    leaf = one.descend()
                    if leaf is not None:
                        asked.append((one, leaf))
            if asked:
                for (one, leaf), logits, values in zip(asked, *self._ask(asked), strict=True):
                    one.grow(leaf, logits[list(leaf.actions)], values)
        return [one.opinion() for one in searches]

    def choose_many(self, views: Sequence[View], seeds: Sequence[int] | None = None) -> list[int]:
        """An action for each view; choices that others do not see are drawn by how often they were tried."""
        actions = []
        for number, (view, opinion) in enumerate(zip(views, self.opinions(views, seeds), strict=True)):
            build, seed = view.game.build("cpu"), number if seeds is None else seeds[number]
            point = build.dice.draw(build.generator(seed, 1), DRAW_PARTS) / DRAW_PARTS
            action = opinion.ranked[0].action
            for one in opinion.ranked:
                point -= one.share
                if point < 0:
                    action = one.action
                    break
            actions.append(action)
        return actions

    def choose(self, view: View, budget: Budget) -> int:
        return self.choose_many([view], [budget.seed])[0]

    def opinion(self, view: View, budget: Budget) -> Opinion:
        return self.opinions([view], [budget.seed])[0]

    def sit(self) -> Bot:
        return self

    def _ask(self, asked: list[tuple[_Search, _Leaf]]) -> tuple[Any, Any]:
        """The evaluator's output for leaves: numbers for all actions, and the shares of the win by seat."""
        view, build = asked[0][0].view, asked[0][0].build
        tensors = self._tensors.setdefault((view.game, view.seats), Tensors(view.game, view.seats))
        actions = build.rules.ACTIONS.size
        seats = numpy.array([leaf.key[0] for _, leaf in asked], "int16")
        rows: Any = numpy.zeros((len(asked), build.rules.FIELDS.width), "int16")
        legal = numpy.zeros((len(asked), actions), numpy.int8)
        for line, (_, leaf) in enumerate(asked):
            build.driver.mask_row(leaf.row, leaf.key[0], rows[line])
            legal[line, list(leaf.actions)] = 1
        seen = {"observation": tensors.encode_many(rows, seats), "action_mask": legal}
        if self.has_features:
            seen["features"] = numpy.array(
                [features(view.game, row, seat) for row, seat in zip(rows, seats.tolist(), strict=True)]
            )
        logits, values = (numpy.asarray(one, "float64") for one in self.evaluate(seen))
        if logits.shape != legal.shape or values.shape not in ((len(asked),), (len(asked), view.seats)):
            raise BadSetup(
                f"the evaluator gave arrays of {logits.shape} and {values.shape} for {len(asked)} lines; "
                f"wanted: {legal.shape}, and {(len(asked),)} or {(len(asked), view.seats)}"
            )
        if values.ndim == 1:
            others = (1 - values) / (view.seats - 1)
            values = numpy.concatenate([values[:, None], numpy.repeat(others[:, None], view.seats - 1, axis=1)], axis=1)
        by_seat = (numpy.arange(view.seats)[None] - seats[:, None]) % view.seats
        return logits, numpy.take_along_axis(values, by_seat, axis=1)
