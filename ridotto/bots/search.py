"""The bot that searches: it runs `ridotto.engine.search` for a number of playouts or seconds, and sums up the results."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import ClassVar, Final

from ridotto.bots.bot import Bot, Budget, Opinion, Ranked, Reply
from ridotto.core.game import Game
from ridotto.core.tuning import SearchSettings
from ridotto.core.view import View
from ridotto.engine.arrays import Network, SearchRequest, Tree
from ridotto.engine.build import Build
from ridotto.engine.exponential import exp
from ridotto.engine.fields import Row, Seat, Target

BATCH: Final = 0.01
"""The most seconds between two checks of the time, about."""
FIRST_BATCH: Final = 4
"""The first playouts, which are made in any case."""
MOST_IN_BATCH: Final = 1024
"""The most playouts between two checks of the time."""
TICK: Final = 1e-7
"""The least assumed duration of a playout, in seconds."""
SUMMING_UP: Final = 0.02
"""The share of the time for summing up the results."""
MOST_SLOTS: Final = 1 << 18
"""Room for nodes in a tree; a full tree is still searched, but does not grow."""
EDGES_A_NODE: Final = 12
LEAST_LIKELY: Final = 0.25
"""A hidden choice is not made with fewer visits than this fraction of the most visited one's."""
DRAW_PARTS: Final = 1 << 24
"""The resolution of a draw among shares."""
WORLDS: Final = 40
"""Worlds in which the reply to an action is looked up."""
LIKELY: Final = 0.4
"""The share of worlds in which a reply must occur to be called likely."""


def _new_tree(build: Build, nodes: int) -> Tree:
    """An empty tree with room for about so many nodes."""
    slots = 64
    while slots < 2 * nodes and slots < MOST_SLOTS:
        slots *= 2
    return build.tree(slots, slots * EDGES_A_NODE + 512)


def _is_half_full(build: Build, tree: Tree) -> bool:
    """Whether a tree is too full for the next decision."""
    search = build.search
    nodes, edges = tree.counters[search.NODES] * search.NODE, tree.counters[search.EDGES] * search.EDGE
    return bool(2 * nodes * 4 > len(tree.nodes) * 3 or 2 * edges > len(tree.edges))


@dataclass
class SearchMemory:
    """The trees of the last decision, for the next one of the same seat in the same match."""

    trees: list[Tree] = field(default_factory=list)
    ply: int = -1


@dataclass(frozen=True)
class Search:
    """Information-set tree search (see `ridotto.engine.search`) with a number of playouts, or seconds, for each decision.

    With `temperature` it errs: an action whose share of the win is lower by this much is chosen about a third as often.
    """

    playouts: int | None = 2000
    seconds: float | None = None
    name: str = "search"
    temperature: float = 0.0
    trusting: bool = False
    """Whether it assumes that all worlds are equally likely, whatever the others did."""
    settings: SearchSettings | None = None
    """The settings of the search; None: those of the game's tuning."""
    clock: Callable[[], float] = field(default=time.perf_counter, repr=False)
    memory: SearchMemory | None = field(default=None, repr=False, compare=False)
    nodes_a_playout: ClassVar[int] = 1
    """The number of nodes that a playout may add to the tree, about."""

    @property
    def is_repeatable(self) -> bool:
        return self.seconds is None

    def settings_for(self, game: Game) -> SearchSettings:
        """The settings of the search for a game."""
        return self.settings or game.tuning.search

    def help_for(self, view: View, target: Target) -> tuple[Network, SearchSettings] | None:
        """A trained network that helps at this table, and the settings of a search with it; here there is none."""
        return None

    def sit(self) -> Bot:
        return replace(self, memory=SearchMemory())

    def choose(self, view: View, budget: Budget) -> int:
        if len(view.legal) == 1:
            return view.legal[0]
        build, trees, roots, _ = self._think(view, budget)
        ranked = self._opinion(build, view, trees, roots).ranked
        point = build.dice.draw(build.generator(budget.seed, 1), DRAW_PARTS) / DRAW_PARTS
        for one in ranked:
            point -= one.share
            if point < 0:
                return one.action
        return ranked[0].action

    def opinion(self, view: View, budget: Budget) -> Opinion:
        build, trees, roots, thinking = self._think(view, budget)
        opinion = self._opinion(build, view, trees, roots)
        return replace(opinion, reply=thinking.reply(trees[0], opinion.ranked[0].action))

    def _think(self, view: View, budget: Budget) -> tuple[Build, list[Tree], list[int], _Thinking]:
        """Search as many trees as there are threads."""
        begun = self.clock()
        build = view.game.build(budget.target)
        trees = self._trees(build, view, budget.threads)
        thinking = _Thinking(self, build, view, budget, begun)
        if len(trees) == 1:
            roots = [thinking.search(0, trees[0])]
        else:
            with ThreadPoolExecutor(len(trees)) as pool:
                roots = list(pool.map(thinking.search, range(len(trees)), trees))
        return build, trees, roots, thinking

    def _trees(self, build: Build, view: View, threads: int) -> list[Tree]:
        """New trees, or those of the last decision if this one comes later in the same match."""
        memory = self.memory
        if memory is not None and memory.ply < view.ply and len(memory.trees) == threads:
            if not any(_is_half_full(build, tree) for tree in memory.trees):
                memory.ply = view.ply
                for tree in memory.trees:
                    for word in range(build.search.PLAYOUTS, build.search.COUNTERS):
                        tree.counters[word] = 0
                return memory.trees
        nodes = MOST_SLOTS if self.playouts is None else self.playouts // threads * self.nodes_a_playout
        trees = [_new_tree(build, nodes * (4 if memory is not None else 1)) for _ in range(threads)]
        if memory is not None:
            memory.trees, memory.ply = trees, view.ply
        return trees

    def _opinion(self, build: Build, view: View, trees: list[Tree], roots: list[int]) -> Opinion:
        """The opinion of all trees together."""
        search = build.search
        statistics = []
        for i, action in enumerate(view.legal):
            edges = [
                tree.edges[(tree.nodes[root + search.FIRST] + i) * search.EDGE :][: search.EDGE]
                for tree, root in zip(trees, roots, strict=True)
            ]
            visits, total, prior = (
                float(sum(edge[word] for edge in edges)) for word in (search.VISITS, search.SUM, search.PRIOR)
            )
            statistics.append((action, visits, total, prior))
        root_playouts = sum(int(tree.counters[search.ROOT_PLAYOUTS]) for tree in trees)
        values = tuple(
            sum(int(tree.counters[search.VALUE_SUMS + seat]) for tree in trees) / (search.SURE * max(1, root_playouts))
            for seat in range(view.seats)
        )
        hidden = bool(search.IS_HIDDEN[view.legal[0]])
        shares = self._shares(statistics, hidden)
        ranked = [
            Ranked(action, int(visits), total / visits if visits else 0.0, share)
            for (action, visits, total, _), share in zip(statistics, shares, strict=True)
        ]
        ranked.sort(key=lambda one: (-one.share, -one.visits, one.action))
        return Opinion(values, tuple(ranked), sum(int(tree.counters[search.PLAYOUTS]) for tree in trees), hidden)

    def _shares(self, statistics: list[tuple[int, float, float, float]], hidden: bool) -> list[float]:
        """The probability of playing each action: 1 for the most visited one; hidden ones in proportion to their visits."""
        if self.temperature > 0:
            means = [total / visits if visits else None for _, visits, total, _ in statistics]
            best = max((mean for mean in means if mean is not None), default=0.0)
            weights = [0.0 if mean is None else exp((mean - best) / self.temperature) for mean in means]
        elif hidden:
            weights = [visits for _, visits, _, _ in statistics]
            most = max(weights)
            weights = [weight if weight >= LEAST_LIKELY * most else 0.0 for weight in weights]
        else:
            tried = [visits + prior for _, visits, _, prior in statistics]
            weights = [0.0] * len(statistics)
            weights[tried.index(max(tried))] = 1.0
        if not sum(weights):
            weights = [prior for _, _, _, prior in statistics]
        return [weight / sum(weights) for weight in weights]


class _Thinking:
    """The search for one decision, common to all threads."""

    def __init__(self, bot: Search, build: Build, view: View, budget: Budget, begun: float) -> None:
        assert view.seat is not None
        self.bot, self.build, self.view, self.budget = bot, build, view, budget
        with_network = bot.help_for(view, budget.target)
        settings = with_network[1] if with_network else bot.settings_for(view.game)
        self.request = SearchRequest(
            masked=build.copy(view.row),
            public=build.copy(build.rules.FIELDS.masked(view.row, None)),
            seat=view.seat,
            belief=build.copy(build.bot.believe(build, None if bot.trusting else view), "int64"),
            settings=build.copy(settings.numbers, "int64"),
        )
        limits = [limit for limit in (bot.seconds, budget.seconds) if limit is not None]
        self.deadline = begun + min(limits) * (1 - SUMMING_UP) if limits else None

    def search(self, thread: int, tree: Tree) -> int:
        """Search one tree until the playouts or the time are spent; the root's node."""
        threads = self.budget.threads
        work = self.build.workspace(self.build.generator(self.budget.seed, 2 + thread))
        with_network = self.bot.help_for(self.view, self.budget.target)
        network = (with_network[0],) if with_network else ()
        playouts = self.bot.playouts
        left = None if playouts is None else playouts // threads + (thread < playouts % threads)
        if self.deadline is None:
            assert left is not None
            return int(self.build.search.search(self.request, left, tree, work, *network))
        # The first batch is always made; later ones are half of what there is time for, so that the last ones are small.
        begun, made, root = self.bot.clock(), 0, -1
        size = FIRST_BATCH if left is None else min(FIRST_BATCH, left)
        while root < 0 or size > 0:
            root = int(self.build.search.search(self.request, size, tree, work, *network))
            made += size
            now = self.bot.clock()
            pace = max((now - begun) / max(made, 1), TICK)
            size = min(MOST_IN_BATCH, 1 + int(BATCH / pace), int(1 + (self.deadline - now) / pace) // 2)
            size = size if left is None else min(size, left - made)
        return root

    def reply(self, tree: Tree, action: int) -> Reply | None:
        """The likely reply to an action: the one in most worlds that are possible for the seat, if everybody can see it."""
        build, search, rules = self.build, self.build.search, self.build.rules
        dice = build.generator(self.budget.seed, 1)
        world, muted, me = build.row(), build.events(muted=True), self.request.seat
        replies: Counter[tuple[Seat, int]] = Counter()
        rows: dict[tuple[Seat, int], Row] = {}
        for _ in range(WORLDS):
            search.draw_world(world, self.request.masked, me, self.request.belief, dice)
            rules.apply(world, me, action, dice, muted)
            if not rules.to_act(world):
                continue
            seat = int(build.dice.lowest(rules.to_act(world)))
            key = int(search.hash_infostate(world, seat, search.FIRST_MULTIPLIERS))
            check = int(search.hash_infostate(world, seat, search.SECOND_MULTIPLIERS))
            node = search.slot_of(tree.nodes, key, check)
            if tree.nodes[node + search.COUNT] == 0:
                continue
            next_action = int(tree.edges[search.most_visited(tree, node) + search.ACTION])
            if not search.IS_HIDDEN[next_action]:
                replies[seat, next_action] += 1
                rows[seat, next_action] = build.copy(world)
        if not replies:
            return None
        (likeliest, times), *_ = replies.most_common(1)
        if times < LIKELY * WORLDS:
            return None
        return Reply(*likeliest, tuple(rules.FIELDS.masked(rows[likeliest], me)))
