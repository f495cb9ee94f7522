"""The bot that searches: `ridotto.engine.search` with a budget of playouts or seconds, and what its trees say together."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from math import exp
from typing import Final

from ridotto.bots.bot import Bot, Budget, Opinion, Ranked, Reply
from ridotto.core.game import Game
from ridotto.core.tuning import SearchSettings
from ridotto.core.view import View
from ridotto.engine.arrays import Asked, Tree
from ridotto.engine.build import Build
from ridotto.engine.fields import Row, Seat

BATCH: Final = 0.01
"""Seconds between two looks at the clock, about."""
MOST_AT_ONCE: Final = 1024
"""Playouts between two looks, at the most."""
MOST_SLOTS: Final = 1 << 18
"""Room for nodes in a tree; a full tree is still searched, but does not grow."""
EDGES_A_NODE: Final = 12
FAINT: Final = 0.25
"""A hidden choice that is this much less likely than the likeliest is not made."""
FINE: Final = 1 << 24
"""Into how many parts a draw among shares is divided."""
WORLDS: Final = 40
"""Worlds looked at to say what an action leads to."""
LIKELY: Final = 0.4
"""How often something must come next to be called likely."""


def _new_tree(build: Build, nodes: int) -> Tree:
    """An empty tree with room for about so many nodes."""
    slots = 64
    while slots < 2 * nodes and slots < MOST_SLOTS:
        slots *= 2
    return build.tree(slots, slots * EDGES_A_NODE + 512)


def _is_half_full(build: Build, tree: Tree) -> bool:
    """Whether a tree had better be begun anew."""
    search = build.search
    nodes, edges = tree.ledger[search.NODES] * search.NODE, tree.ledger[search.EDGES] * search.EDGE
    return bool(2 * nodes * 4 > len(tree.nodes) * 3 or 2 * edges > len(tree.edges))


@dataclass
class SearchMemory:
    """The trees of the last decision, for the next one of the same seat in the same match."""

    trees: list[Tree] = field(default_factory=list)
    ply: int = -1


@dataclass(frozen=True)
class Search:
    """Information-set tree search (see search.py) with so many playouts, or seconds, for a decision.

    With `temperature` it slips: an action that gives so much less of the win is chosen about a third as often.
    """

    playouts: int | None = 2000
    seconds: float | None = None
    name: str = "search"
    temperature: float = 0.0
    trusting: bool = False
    """Whether all worlds are equally likely to it, whatever others were seen to do."""
    settings: SearchSettings | None = None
    """How the search is set; None: as the game's tuning says."""
    clock: Callable[[], float] = field(default=time.perf_counter, repr=False)
    memory: SearchMemory | None = field(default=None, repr=False, compare=False)

    @property
    def is_repeatable(self) -> bool:
        return self.seconds is None

    def settings_for(self, game: Game) -> SearchSettings:
        """How the search is set for a game."""
        return self.settings or game.tuning.search

    def sit(self) -> Bot:
        return replace(self, memory=SearchMemory())

    def choose(self, view: View, budget: Budget) -> int:
        if len(view.legal) == 1:
            return view.legal[0]
        build, trees, roots, _ = self._think(view, budget)
        ranked = self._opinion(build, view, trees, roots).ranked
        point = build.dice.draw(build.generator(budget.seed, 1), FINE) / FINE
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
        build = view.game.build("cpu")
        trees = self._trees(build, view, budget.threads)
        thinking = _Thinking(self, build, view, budget)
        if len(trees) == 1:
            roots = [thinking.search(0, trees[0])]
        else:
            with ThreadPoolExecutor(len(trees)) as pool:
                roots = list(pool.map(thinking.search, range(len(trees)), trees))
        return build, trees, roots, thinking

    def _trees(self, build: Build, view: View, threads: int) -> list[Tree]:
        """Fresh trees, or those of the last decision if this one comes later in the same match."""
        kept = self.memory
        if kept is not None and kept.ply < view.ply and len(kept.trees) == threads:
            if not any(_is_half_full(build, tree) for tree in kept.trees):
                kept.ply = view.ply
                for tree in kept.trees:
                    for word in range(build.search.PLAYOUTS, build.search.LEDGER):
                        tree.ledger[word] = 0
                return kept.trees
        nodes = MOST_SLOTS if self.playouts is None else self.playouts // threads
        trees = [_new_tree(build, nodes * (4 if kept is not None else 1)) for _ in range(threads)]
        if kept is not None:
            kept.trees, kept.ply = trees, view.ply
        return trees

    def _opinion(self, build: Build, view: View, trees: list[Tree], roots: list[int]) -> Opinion:
        """What the trees say together."""
        search = build.search
        found = []
        for i, action in enumerate(view.legal):
            edges = [
                tree.edges[(tree.nodes[root + search.FIRST] + i) * search.EDGE :][: search.EDGE]
                for tree, root in zip(trees, roots, strict=True)
            ]
            visits, total, prior = (
                float(sum(edge[word] for edge in edges)) for word in (search.VISITS, search.SUM, search.PRIOR)
            )
            found.append((action, visits, total, prior))
        own = sum(int(tree.ledger[search.OWN]) for tree in trees)
        values = tuple(
            sum(int(tree.ledger[search.GOT + seat]) for tree in trees) / (search.SURE * max(1, own))
            for seat in range(view.seats)
        )
        hidden = bool(search.IS_HIDDEN[view.legal[0]])
        shares = self._shares(found, hidden)
        ranked = [
            Ranked(action, int(visits), total / visits if visits else 0.0, share)
            for (action, visits, total, _), share in zip(found, shares, strict=True)
        ]
        ranked.sort(key=lambda one: (-one.share, -one.visits, one.action))
        return Opinion(values, tuple(ranked), sum(int(tree.ledger[search.PLAYOUTS]) for tree in trees), hidden)

    def _shares(self, found: list[tuple[int, float, float, float]], hidden: bool) -> list[float]:
        """How likely each action is to be played: the one tried most; a hidden one, as often as each was tried."""
        if self.temperature > 0:
            means = [total / visits if visits else None for _, visits, total, _ in found]
            best = max((mean for mean in means if mean is not None), default=0.0)
            weights = [0.0 if mean is None else exp((mean - best) / self.temperature) for mean in means]
        elif hidden:
            weights = [visits for _, visits, _, _ in found]
            most = max(weights)
            weights = [weight if weight >= FAINT * most else 0.0 for weight in weights]
        else:
            tried = [visits + prior for _, visits, _, prior in found]
            weights = [0.0] * len(found)
            weights[tried.index(max(tried))] = 1.0
        if not sum(weights):
            weights = [prior for _, _, _, prior in found]
        return [weight / sum(weights) for weight in weights]


class _Thinking:
    """One decision being thought about: what all threads share."""

    def __init__(self, bot: Search, build: Build, view: View, budget: Budget) -> None:
        assert view.seat is not None
        self.bot, self.build, self.view, self.budget = bot, build, view, budget
        self.asked = Asked(
            masked=build.copy(view.row),
            public=build.copy(build.rules.FIELDS.masked(view.row, None)),
            seat=view.seat,
            belief=build.copy(build.bot.believe(build, None if bot.trusting else view), "int64"),
            settings=build.copy(bot.settings_for(view.game).numbers, "int64"),
        )
        limits = [limit for limit in (bot.seconds, budget.seconds) if limit is not None]
        self.deadline = bot.clock() + min(limits) if limits else None

    def search(self, thread: int, tree: Tree) -> int:
        """Search one tree until the playouts or the time are spent; the root's node."""
        threads = self.budget.threads
        work = self.build.workspace(self.build.generator(self.budget.seed, 2 + thread))
        playouts = self.bot.playouts
        left = None if playouts is None else playouts // threads + (thread < playouts % threads)
        if self.deadline is None:
            assert left is not None
            return int(self.build.search.search(self.asked, left, tree, work))
        # The first batch is made whatever the time; each next one is as large as will take about BATCH.
        batch, root = 16, -1
        while root < 0 or (self.bot.clock() < self.deadline and left != 0):
            size = batch if left is None else min(batch, left)
            begun = self.bot.clock()
            root = int(self.build.search.search(self.asked, size, tree, work))
            left = None if left is None else left - size
            if self.bot.clock() - begun < BATCH / 2 and batch < MOST_AT_ONCE:
                batch *= 2
        return root

    def reply(self, tree: Tree, action: int) -> Reply | None:
        """What comes after an action in most of the worlds that the seat can imagine, if it is seen by all."""
        build, search, rules = self.build, self.build.search, self.build.rules
        dice = build.generator(self.budget.seed, 1)
        world, muted, me = build.row(), build.events(muted=True), self.asked.seat
        found: Counter[tuple[Seat, int]] = Counter()
        rows: dict[tuple[Seat, int], Row] = {}
        for _ in range(WORLDS):
            search.imagine(world, self.asked.masked, me, self.asked.belief, dice)
            rules.apply(world, me, action, dice, muted)
            if not rules.to_act(world):
                continue
            seat = int(build.dice.lowest(rules.to_act(world)))
            keys = (int(search.lane(world, seat, lane)) for lane in (search.FIRST_LANE, search.SECOND_LANE))
            node = search.slot_of(tree.nodes, *keys)
            if tree.nodes[node + search.COUNT] == 0:
                continue
            next_action = int(tree.edges[search.firm_choice(tree, node) + search.ACTION])
            if not search.IS_HIDDEN[next_action]:
                found[seat, next_action] += 1
                rows[seat, next_action] = rules.FIELDS.masked(world, me)
        if not found:
            return None
        (likeliest, times), *_ = found.most_common(1)
        if times < LIKELY * WORLDS:
            return None
        return Reply(*likeliest, tuple(rows[likeliest]))
