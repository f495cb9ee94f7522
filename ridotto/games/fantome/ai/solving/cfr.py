"""CFR+ (Tammelin, 2014) on the tree of a round, over the identities that the phantom may have.

The phantom has a strategy for each suspect, the inspector one for all.

Arrays: `regrets` and `sums` (weighted strategies) by slot, `values` by node and suspect, `ends` by edge and suspect, the reach
of both players by node, and `passed`, the phantom's weighted reach of every node.
"""

from __future__ import annotations

from typing import Any

import numpy

from ridotto.engine.build import compiled
from ridotto.engine.exponential import exp
from ridotto.engine.fields import Row
from ridotto.games.fantome.ai.solving.boards import CARDS_AT, squeeze
from ridotto.games.fantome.ai.solving.ends import judge_close
from ridotto.games.fantome.ai.solving.tree import CLOSED, INSPECTOR_DRAWS, PHANTOM_DRAWS, RoundTree
from ridotto.games.fantome.rules import EVERYBODY, INSPECTOR, PHANTOM, RAOUL, F

EXPLORED, GLANCE = 0.3, 0.03
"""The share of choices by what looks best when ends are foreseen, and how much better one looks e times as good."""


@compiled
def judge_ends(
    tree: RoundTree, s: Row, prior: Any, sums: Any, passed: Any, leaves: Any, odds: Any, exact: Any, ends: Any
) -> None:
    """Work out what the ends of the round are worth with the beliefs that the average strategy leads to."""
    n = len(prior)
    suspects = s[F.suspects] & EVERYBODY
    next_cards = squeeze(s[F.pile] & EVERYBODY, suspects) if s[F.round] & 1 else 0
    weights = numpy.empty(n, numpy.float64)
    for node in range(len(tree.keys)):
        if tree.first[node] == tree.first[node + 1] or tree.children[tree.first[node]] != CLOSED:
            continue
        is_phantom = tree.owners[node] == PHANTOM
        draw = tree.draws[node]
        # The one card left may be Raoul.
        if node > 0 and tree.keys[node] >> CARDS_AT & EVERYBODY == 1 << RAOUL:
            draw = PHANTOM_DRAWS if is_phantom else INSPECTOR_DRAWS
        if node == 0 and (s[F.offered] == 1 << RAOUL or s[F.active] == RAOUL):
            draw = PHANTOM_DRAWS if is_phantom else INSPECTOR_DRAWS
        for i in range(n):
            weights[i] = prior[i] * passed[node, i]
        for edge in range(tree.first[node], tree.first[node + 1]):
            if is_phantom:
                for i in range(n):
                    weights[i] = prior[i] * sums[tree.slots[edge] + i]
            judge_close(tree.closes[edge], draw, weights, prior, next_cards, n, leaves, odds, exact[edge], ends, edge * n)


@compiled
def walk_up(tree: RoundTree, n: int, prior: Any, updates: int, arrays: Any) -> None:
    """The values of all nodes, from the last to the first, with the current strategies; `updates` is whose regrets change."""
    regrets, _, values, ends, reach, _, odds = arrays
    total = numpy.empty(n, numpy.float64)
    value = numpy.empty(n, numpy.float64)
    plain = numpy.empty(n, numpy.float64)
    for node in range(len(tree.keys) - 1, -1, -1):
        begin, end = tree.first[node], tree.first[node + 1]
        for i in range(n):
            total[i] = 0.0
            value[i] = 0.0
            plain[i] = 0.0
        if tree.owners[node] == PHANTOM:
            for edge in range(begin, end):
                child = tree.children[edge]
                slot = tree.slots[edge]
                for i in range(n):
                    gain = ends[edge * n + i] if child < 0 else values[child * n + i]
                    regret = regrets[slot + i]
                    total[i] += regret
                    value[i] += regret * gain
                    plain[i] += gain
            for i in range(n):
                value[i] = value[i] / total[i] if total[i] > 0 else plain[i] / (end - begin)
            if updates == PHANTOM and odds[node] > 0:
                weight = odds[node]
                for edge in range(begin, end):
                    child = tree.children[edge]
                    slot = tree.slots[edge]
                    for i in range(n):
                        gain = ends[edge * n + i] if child < 0 else values[child * n + i]
                        regrets[slot + i] = max(0.0, regrets[slot + i] + weight * (gain - value[i]))
        else:
            sum_regrets = 0.0
            for edge in range(begin, end):
                child = tree.children[edge]
                regret = regrets[tree.slots[edge]]
                sum_regrets += regret
                if regret > 0:
                    for i in range(n):
                        value[i] += regret * (ends[edge * n + i] if child < 0 else values[child * n + i])
            if sum_regrets > 0:
                for i in range(n):
                    value[i] /= sum_regrets
            else:
                for edge in range(begin, end):
                    child = tree.children[edge]
                    for i in range(n):
                        value[i] += (ends[edge * n + i] if child < 0 else values[child * n + i]) / (end - begin)
            if updates == INSPECTOR:
                mean = 0.0
                for i in range(n):
                    total[i] = prior[i] * reach[node * n + i]
                    mean += total[i] * value[i]
                for edge in range(begin, end):
                    child = tree.children[edge]
                    cost = 0.0
                    for i in range(n):
                        cost += total[i] * (ends[edge * n + i] if child < 0 else values[child * n + i])
                    slot = tree.slots[edge]
                    regrets[slot] = max(0.0, regrets[slot] + mean - cost)
        for i in range(n):
            values[node * n + i] = value[i]


@compiled
def walk_down(tree: RoundTree, n: int, whose: int, weight: float, arrays: Any) -> None:
    """A player's own reach of each node, by the current strategy; it is added to the average, with a weight."""
    regrets, sums, _, _, reach, passed, odds = arrays
    total = numpy.empty(n, numpy.float64)
    count = len(tree.keys)
    if whose == PHANTOM:
        for at in range(count * n):
            reach[at] = 0.0
        for i in range(n):
            reach[i] = 1.0
    else:
        for at in range(count):
            odds[at] = 0.0
        odds[0] = 1.0
    for node in range(count):
        begin, end = tree.first[node], tree.first[node + 1]
        mine = tree.owners[node] == whose
        if whose == PHANTOM:
            for i in range(n):
                passed[node, i] += weight * reach[node * n + i]
            if not mine:
                for edge in range(begin, end):
                    child = tree.children[edge]
                    if child >= 0:
                        for i in range(n):
                            reach[child * n + i] = reach[node * n + i]
                continue
            for i in range(n):
                total[i] = 0.0
            for edge in range(begin, end):
                slot = tree.slots[edge]
                for i in range(n):
                    total[i] += regrets[slot + i]
            for i in range(n):
                total[i] = reach[node * n + i] / total[i] if total[i] > 0 else -reach[node * n + i] / (end - begin)
            for edge in range(begin, end):
                slot = tree.slots[edge]
                child = tree.children[edge]
                for i in range(n):
                    share = total[i] * regrets[slot + i] if total[i] > 0 else -total[i]
                    sums[slot + i] += weight * share
                    if child >= 0:
                        reach[child * n + i] += share
        else:
            if not mine:
                for edge in range(begin, end):
                    child = tree.children[edge]
                    if child >= 0:
                        odds[child] = odds[node]
                continue
            sum_regrets = 0.0
            for edge in range(begin, end):
                sum_regrets += regrets[tree.slots[edge]]
            for edge in range(begin, end):
                share = odds[node] * (regrets[tree.slots[edge]] / sum_regrets if sum_regrets > 0 else 1.0 / (end - begin))
                sums[tree.slots[edge]] += weight * share
                child = tree.children[edge]
                if child >= 0:
                    odds[child] += share


@compiled
def iterate(
    tree: RoundTree, s: Row, prior: Any, leaves: Any, odds: Any, exact: Any, arrays: Any, totals: Any, start: int, count: int
) -> None:
    """So many iterations of CFR+ after `start` earlier ones; adds up the weighted values of all nodes."""
    _, sums, values, ends, _, passed, _ = arrays
    n = len(prior)
    if start == 0:
        walk_down(tree, n, PHANTOM, 0.0, arrays)
        walk_down(tree, n, INSPECTOR, 0.0, arrays)
    for iteration in range(start + 1, start + count + 1):
        if iteration <= 4 or (iteration % 4 == 0 and iteration <= 16) or iteration % 8 == 0:
            judge_ends(tree, s, prior, sums, passed, leaves, odds, exact, ends)
        weight = float(iteration) * iteration
        walk_up(tree, n, prior, PHANTOM, arrays)
        walk_down(tree, n, PHANTOM, weight, arrays)
        walk_up(tree, n, prior, INSPECTOR, arrays)
        walk_down(tree, n, INSPECTOR, weight, arrays)
        for at in range(len(values)):
            totals[at] += weight * values[at]


@compiled
def foresee(tree: RoundTree, prior: Any, arrays: Any, likely: Any) -> None:
    """The chance of each end of the round, and whether the phantom can then manifest: if players choose by their average
    strategies and now and then by what looks best."""
    _, sums, values, ends, _, _, _ = arrays
    n = len(prior)
    chance = numpy.zeros((len(tree.keys), n), numpy.float64)
    total = numpy.empty(n, numpy.float64)
    looks = numpy.empty(n, numpy.float64)
    most = numpy.empty(n, numpy.float64)
    gains = numpy.empty(n, numpy.float64)
    for i in range(n):
        chance[0, i] = prior[i]
    for node in range(len(tree.keys)):
        begin, end = tree.first[node], tree.first[node + 1]
        owner = tree.owners[node]
        here = 0.0
        for i in range(n):
            here += chance[node, i]
            total[i] = 0.0
            looks[i] = 0.0
            most[i] = -1e9
        if here < 1e-6:
            continue
        for step in range(3):
            # The best that there is; how many look as good; and then who goes where.
            for edge in range(begin, end):
                child = tree.children[edge]
                mean = 0.0
                for i in range(n):
                    gains[i] = ends[edge * n + i] if child < 0 else values[child * n + i]
                    mean -= gains[i] * chance[node, i] / here
                for i in range(n):
                    gain = gains[i] if owner == PHANTOM else mean
                    share = sums[tree.slots[edge] + (i if owner == PHANTOM else 0)]
                    if step == 0:
                        most[i] = max(most[i], gain)
                        total[i] += share
                    elif step == 1:
                        looks[i] += exp((gain - most[i]) / GLANCE)
                    else:
                        part = EXPLORED * exp((gain - most[i]) / GLANCE) / looks[i]
                        if total[i] > 0:
                            part += (1 - EXPLORED) * share / total[i]
                        if child < 0:
                            likely[edge, tree.closes[edge] >> i & 1] += chance[node, i] * part
                        else:
                            chance[child, i] += chance[node, i] * part


@compiled
def respond(tree: RoundTree, prior: Any, best: int, arrays: Any, values: Any) -> None:
    """The worth of every node if one player knows the other's average strategy and makes the best of it."""
    _, sums, _, ends, _, passed, _ = arrays
    n = len(prior)
    total = numpy.empty(n, numpy.float64)
    value = numpy.empty(n, numpy.float64)
    for node in range(len(tree.keys) - 1, -1, -1):
        begin, end = tree.first[node], tree.first[node + 1]
        owner = tree.owners[node]
        chosen = begin
        least = 1e9
        for i in range(n):
            total[i] = 0.0
            value[i] = -1.0 if owner == PHANTOM and best == PHANTOM else 0.0
        for edge in range(begin, end):
            child = tree.children[edge]
            cost = 0.0
            for i in range(n):
                gain = ends[edge * n + i] if child < 0 else values[child * n + i]
                if owner == best:
                    if best == PHANTOM:
                        value[i] = max(value[i], gain)
                    else:
                        cost += prior[i] * passed[node, i] * gain
                else:
                    share = sums[tree.slots[edge] + (i if owner == PHANTOM else 0)]
                    total[i] += share
                    value[i] += share * gain
            if cost < least:
                least = cost
                chosen = edge
        for i in range(n):
            if owner != best:
                if total[i] > 0:
                    value[i] /= total[i]
                else:
                    value[i] = 0.0
                    for edge in range(begin, end):
                        child = tree.children[edge]
                        value[i] += (ends[edge * n + i] if child < 0 else values[child * n + i]) / (end - begin)
            elif best == INSPECTOR:
                child = tree.children[chosen]
                value[i] = ends[chosen * n + i] if child < 0 else values[child * n + i]
            values[node * n + i] = value[i]
