"""The compiled search of one game: information-set Monte Carlo tree search. Loaded once per game and target.

A playout draws a world with `redeal` that its seat cannot tell from the true one, walks down the tree, leaves it at a
position that the tree does not contain, continues with the game's own `policy`, and ends where the game's `value` can
judge the position.

A node is an information set of the seat to act, identified by a hash of its masked row. So no seat in the tree decides by
what it cannot know, and two paths to the same knowledge meet in one node. (This is multiple-observer ISMCTS: Cowling,
Powley and Whitehouse, 2012. Legal actions depend on a seat's knowledge alone, so that a node's actions are always the same.)
Where a seat has secrets of its own, its rivals do not know them: some playouts begin in a world that is possible for a
spectator, and only these playouts update the nodes of the rivals.

With a trained network (`ridotto.engine.network`), that network is the prior, and the rivals do what it says they would do in
their place. A playout ends where its own seat has to make a decision that the tree does not contain: the network says what each
seat may expect there. It is asked for its own seat's sake alone, since rivals do not know what that seat holds.

Each seat chooses by PUCT (Rosin, 2011), with `policy` as the prior, by the results of its own actions. A choice that others
do not see has to be a mixed strategy: some of these choices are drawn by how often each action was tried (Smooth UCT,
Heinrich and Silver, 2015), which makes the visit counts the mixture to play. It needs no second set of numbers, and on three
matrices of two by two it was within a few hundredths of the right mixture after ten thousand choices.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from ridotto.engine.arrays import Network, SearchRequest, Tree, Workspace
from ridotto.engine.build import compiled, constants
from ridotto.engine.contract import bot, rules
from ridotto.engine.dice import LOW32, count_legal, draw, lowest, nth_legal, ones
from ridotto.engine.driver import random_action
from ridotto.engine.fields import Dice, Row, Seat
from ridotto.engine.network import evaluate, likelihoods, shares

WIDTH = rules.FIELDS.width
MOST_SEATS = rules.FIELDS[1].top
ACTION_COUNT = rules.ACTIONS.size

# The words of a node, and of an edge: one action at a node.
KEY, CHECK, FIRST, COUNT, NODE = 0, 1, 2, 3, 4
ACTION, PRIOR, VISITS, SUM, EDGE = 0, 1, 2, 3, 4
# The words of the counters: nodes and edges in use, all playouts, the playouts that passed through the root's node, then for
# each seat the sum of its values in these.
NODES, EDGES, PLAYOUTS, ROOT_PLAYOUTS, VALUE_SUMS = 0, 1, 2, 3, 4
COUNTERS = VALUE_SUMS + 8
# The words of the settings, as `ridotto.core.tuning.SearchSettings` explains them.
C_PUCT, RANDOM, FPU_REDUCTION, OPPONENT_UPDATE_RATE, AHEAD, SETTINGS = 0, 1, 2, 3, 4, 5

SURE = 10_000
"""A certain win, as `value` counts it."""
VISIT_SAMPLING_PERMILLE = 300
"""Hidden choices that are drawn in proportion to visits, in thousandths (Smooth UCT)."""
MOST_DEPTH = 96
"""The most decisions in the tree in one playout."""
MOST_DECISIONS = 5_000
"""The most decisions in one playout after it has left the tree."""
UNIFORM_PRIOR_MIX = 0.05
"""The uniform part of a network's prior over the actions of the seat that searches."""
PRIOR_PARTS = 1 << 20
"""The resolution of an action's prior when it is drawn."""
SECRECY_TRIALS = 8
"""Worlds drawn to see whether a seat has secrets of its own."""
TRIES = 64
"""Worlds drawn at most in search of a plausible one; the last one is taken in any case."""
SCALE = 256
"""A plausibility of one."""


def _multipliers(number: int) -> list[int]:
    """A random odd number for each seat and word; 0 for words that the seat may not know."""
    state, multipliers = 0x2545F491 + number, []
    for seat in range(MOST_SEATS):
        hidden = set(rules.FIELDS.hidden(seat))
        for word in range(WIDTH):
            state = (state * 0x5851F42D4C957F2D + 0x14057B7EF767814F) & 0xFFFFFFFFFFFFFFFF
            multipliers.append(0 if word in hidden else state >> 33 | 1)
    return multipliers


FIRST_MULTIPLIERS = constants(_multipliers(0))
SECOND_MULTIPLIERS = constants(_multipliers(1))
IS_HIDDEN = constants([int(rules.ACTIONS.family(action).audience != "all") for action in range(ACTION_COUNT)])
"""Whether an action is a choice that others do not see."""


# The tree.


@compiled
def hash_infostate(s: Row, seat: Seat, multipliers: Sequence[int]) -> int:
    """A hash of a seat's information state, with `FIRST_MULTIPLIERS` or `SECOND_MULTIPLIERS`."""
    # No seat is below 0. Knowing that, the compiler omits code for negative indices: this is four times as fast.
    at = max(0, seat * WIDTH)
    total = seat + 1
    for word in range(WIDTH):
        total += multipliers[at + word] * s[word]
    return total


@compiled
def slot_of(nodes: Row, key: int, check: int) -> int:
    """The slot of a node in the hash table: where it is, or where it would be inserted."""
    slots = len(nodes) // NODE
    at = (((key ^ key >> 29) & LOW32) * 0x5BD1E995 >> 11) & (slots - 1)
    while nodes[at * NODE + COUNT] != 0 and (nodes[at * NODE + KEY] != key or nodes[at * NODE + CHECK] != check):
        at = (at + 1) & (slots - 1)
    return at * NODE


@compiled
def open_node(s: Row, seat: Seat, node: int, key: int, check: int, draws: int, tree: Tree, work: Workspace) -> int:
    """Insert a node, unless the tree is full, with `draws` choices of the policy as its prior; returns the last of these."""
    nodes = tree.nodes
    edges = tree.edges
    counters = tree.counters
    mask = work.mask
    rules.legal(s, seat, mask)
    count = count_legal(mask)
    first = counters[EDGES]
    if (counters[NODES] + 1) * NODE * 4 > len(nodes) * 3 or (first + count) * EDGE > len(edges):
        if count == 1:
            return random_action(mask, work.dice)
        return bot.policy(s, seat, mask, work.dice, work.events, work.scratch)
    nodes[node + KEY] = key
    nodes[node + CHECK] = check
    nodes[node + FIRST] = first
    nodes[node + COUNT] = count
    counters[NODES] += 1
    counters[EDGES] = first + count
    uniform = 1.0 / (2 * count)
    for i in range(count):
        edge = (first + i) * EDGE
        edges[edge + ACTION] = nth_legal(mask, i)
        edges[edge + PRIOR] = uniform
        edges[edge + VISITS] = 0
        edges[edge + SUM] = 0
    if count == 1:
        return nth_legal(mask, 0)
    action = 0
    for _ in range(draws):
        action = bot.policy(s, seat, mask, work.dice, work.events, work.scratch)
        edges[find_edge(tree, node, action) + PRIOR] += 1.0 / (2 * draws)
    return action


@compiled
def open_judged(
    s: Row, seat: Seat, uniform_mix: float, node: int, key: int, check: int, tree: Tree, work: Workspace, network: Network
) -> bool:
    """Insert a node, unless the tree is full, with a network's opinion as its prior; and its values, unless there is no choice.

    `uniform_mix` is the uniform part of the prior. Returns whether the position is judged.
    """
    nodes = tree.nodes
    edges = tree.edges
    counters = tree.counters
    mask = work.mask
    rules.legal(s, seat, mask)
    count = count_legal(mask)
    first = counters[EDGES]
    is_full = (counters[NODES] + 1) * NODE * 4 > len(nodes) * 3 or (first + count) * EDGE > len(edges)
    if count > 1 or is_full:
        evaluate(s, seat, network)
        shares(seat, network, SURE, tree.values)
    if is_full:
        return True
    nodes[node + KEY] = key
    nodes[node + CHECK] = check
    nodes[node + FIRST] = first
    nodes[node + COUNT] = count
    counters[NODES] += 1
    counters[EDGES] = first + count
    if count > 1:
        likelihoods(mask, network, 1.0)
    for i in range(count):
        edge = (first + i) * EDGE
        edges[edge + ACTION] = nth_legal(mask, i)
        edges[edge + PRIOR] = (1 - uniform_mix) * network.chances[i] + uniform_mix / count
        edges[edge + VISITS] = 0
        edges[edge + SUM] = 0
    return count > 1


@compiled
def find_edge(tree: Tree, node: int, action: int) -> int:
    """The edge of an action."""
    edge = tree.nodes[node + FIRST] * EDGE
    while tree.edges[edge + ACTION] != action:
        edge += EDGE
    return edge


@compiled
def puct_value(edges: list[float], edge: int, untried: float, exploration: float) -> float:
    """The PUCT value of an edge: its mean result, and a bonus that grows with its prior and falls with its visits."""
    tried = edges[edge + VISITS]
    worth = edges[edge + SUM] / tried if tried > 0 else untried
    return worth + exploration * edges[edge + PRIOR] / (1 + tried)


@compiled
def best_by_puct(tree: Tree, node: int, settings: Row) -> int:
    """The edge with the highest PUCT value."""
    edges = tree.edges
    first = tree.nodes[node + FIRST] * EDGE
    last = first + tree.nodes[node + COUNT] * EDGE
    visits = 0.0
    total = 0.0
    for edge in range(first, last, EDGE):
        visits += edges[edge + VISITS]
        total += edges[edge + SUM]
    untried = total / visits - settings[FPU_REDUCTION] / 1000 if visits > 0 else 0.5
    exploration = settings[C_PUCT] / 1000 * sqrt(visits + 1)
    best = first
    most = -1e9
    for edge in range(first, last, EDGE):
        worth = puct_value(edges, edge, untried, exploration)
        if worth > most:
            most = worth
            best = edge
    return best


@compiled
def drawn_by_visits(tree: Tree, node: int, dice: Dice) -> int:
    """A random edge, each with a probability in proportion to its visits."""
    edges = tree.edges
    first = tree.nodes[node + FIRST] * EDGE
    last = first + tree.nodes[node + COUNT] * EDGE
    visits = 0
    for edge in range(first, last, EDGE):
        visits += int(edges[edge + VISITS])
    left = draw(dice, max(1, visits))
    for edge in range(first, last, EDGE):
        left -= int(edges[edge + VISITS])
        if left < 0:
            return edge
    return first


@compiled
def drawn_by_prior(tree: Tree, node: int, dice: Dice) -> int:
    """A random edge, each with a probability in proportion to its prior."""
    edges = tree.edges
    first = tree.nodes[node + FIRST] * EDGE
    last = first + tree.nodes[node + COUNT] * EDGE
    left = draw(dice, PRIOR_PARTS) / PRIOR_PARTS
    for edge in range(first, last, EDGE):
        left -= edges[edge + PRIOR]
        if left < 0:
            return edge
    return last - EDGE


@compiled
def most_visited(tree: Tree, node: int) -> int:
    """The edge with the most visits; the prior decides between equals."""
    edges = tree.edges
    first = tree.nodes[node + FIRST] * EDGE
    last = first + tree.nodes[node + COUNT] * EDGE
    best = first
    for edge in range(first, last, EDGE):
        if edges[edge + VISITS] + edges[edge + PRIOR] > edges[best + VISITS] + edges[best + PRIOR]:
            best = edge
    return best


# Playouts.


@compiled
def draw_world(world: Row, masked: Row, seat: Seat, belief: Row, dice: Dice) -> None:
    """Draw a world that fits a masked row, plausible ones more often."""
    for _ in range(TRIES):
        for word in range(WIDTH):
            world[word] = masked[word]
        rules.redeal(world, seat, dice)
        likely = bot.plausible(world, belief)
        if likely >= SCALE or draw(dice, SCALE) < likely:
            return


@compiled
def final_values(s: Row, values: Row, scratch: Row) -> None:
    """The value of a finished match for each seat: its share of the win, and to a small part the game's own `value`."""
    won = rules.winners(s)
    bot.value(s, values, scratch)
    for seat in range(MOST_SEATS):
        share = SURE // ones(won) if won >> seat & 1 else 0
        values[seat] = (15 * share + values[seat]) // 16


@compiled
def finish_playout(s: Row, ahead: int, random: int, values: Row, work: Workspace) -> None:
    """Play on with the policy and some random choices, to the end of the match or to a position that `value` can judge."""
    mask = work.mask
    dice = work.dice
    for _ in range(MOST_DECISIONS):
        waiting = rules.to_act(s)
        if waiting == 0:
            final_values(s, values, work.scratch)
            return
        if bot.value(s, values, work.scratch):
            ahead -= 1
            if ahead < 0:
                return
        seat = lowest(waiting)
        rules.legal(s, seat, mask)
        if random > 0 and draw(dice, 1000) < random:
            action = random_action(mask, dice)
        else:
            action = bot.policy(s, seat, mask, dice, work.events, work.scratch)
        rules.apply(s, seat, action, dice, work.events)


@compiled
def search(request: SearchRequest, playouts: int, tree: Tree, work: Workspace, network: Network | None = None) -> int:
    """Make playouts for a seat that has to decide, guided by a network if there is one; returns the root's node.

    In both rows of the request, hidden choices of others at the same time are taken back. The tree may contain the results
    of earlier decisions of the same match.
    """
    masked = request.masked
    public = request.public
    seat = request.seat
    belief = request.belief
    settings = request.settings
    nodes = tree.nodes
    edges = tree.edges
    path = tree.path
    values = tree.values
    counters = tree.counters
    world = work.row
    dice = work.dice
    bot.recall(masked, seat)
    bot.recall(public, -1)
    key = hash_infostate(masked, seat, FIRST_MULTIPLIERS)
    check = hash_infostate(masked, seat, SECOND_MULTIPLIERS)
    root = slot_of(nodes, key, check)
    if nodes[root + COUNT] == 0:
        if network is None:
            open_node(masked, seat, root, key, check, 16, tree, work)
        else:
            open_judged(masked, seat, UNIFORM_PRIOR_MIX, root, key, check, tree, work, network)
    # The seat has secrets if a world that is possible for a spectator differs in what the seat knows.
    has_secrets = False
    for _ in range(SECRECY_TRIALS if network is None else 0):
        draw_world(world, public, -1, belief, dice)
        if hash_infostate(world, seat, FIRST_MULTIPLIERS) != key:
            has_secrets = True

    for _ in range(playouts):
        # Draw a world, and decide whose nodes this playout updates.
        updates_rivals = True
        viewer = seat
        if has_secrets:
            updates_rivals = draw(dice, 1000) < settings[OPPONENT_UPDATE_RATE]
            if updates_rivals:
                viewer = -1
        if viewer < 0:
            draw_world(world, public, -1, belief, dice)
        else:
            draw_world(world, masked, seat, belief, dice)

        # Go down the tree until the playout leaves it.
        depth = 0
        ahead = settings[AHEAD]
        has_left = False
        at_root = False
        is_judged = False
        while depth < MOST_DEPTH:
            waiting = rules.to_act(world)
            if waiting == 0:
                break
            actor = seat if depth == 0 and waiting >> seat & 1 else lowest(waiting)
            key = hash_infostate(world, actor, FIRST_MULTIPLIERS)
            check = hash_infostate(world, actor, SECOND_MULTIPLIERS)
            node = slot_of(nodes, key, check)
            if node == root:
                at_root = True
            if network is not None and nodes[node + COUNT] == 0:
                mix = UNIFORM_PRIOR_MIX if actor == seat else 0.0
                is_judged = open_judged(world, actor, mix, node, key, check, tree, work, network)
                if is_judged and (actor == seat or nodes[node + COUNT] == 0):
                    break
                is_judged = False
            if nodes[node + COUNT] == 0:
                action = open_node(world, actor, node, key, check, 1, tree, work)
                if nodes[node + COUNT] != 1:
                    has_left = True
                if nodes[node + COUNT] == 0:
                    rules.apply(world, actor, action, dice, work.events)
                    break
                edge = find_edge(tree, node, action)
            elif nodes[node + COUNT] == 1:
                edge = nodes[node + FIRST] * EDGE
            elif network is not None and actor != seat:
                edge = drawn_by_prior(tree, node, dice)
            elif IS_HIDDEN[int(edges[nodes[node + FIRST] * EDGE + ACTION])] and draw(dice, 1000) < VISIT_SAMPLING_PERMILLE:
                edge = drawn_by_visits(tree, node, dice)
            elif not updates_rivals and actor != seat:
                edge = most_visited(tree, node)
            else:
                edge = best_by_puct(tree, node, settings)
            path[2 * depth] = edge
            path[2 * depth + 1] = actor
            depth += 1
            rules.apply(world, actor, int(edges[edge + ACTION]), dice, work.events)
            if has_left:
                break
        if not is_judged:
            finish_playout(world, ahead, settings[RANDOM], values, work)

        # Update the edges on the path, and the counters.
        for i in range(depth):
            if (updates_rivals and network is None) or path[2 * i + 1] == seat:
                edges[path[2 * i] + VISITS] += 1
                edges[path[2 * i] + SUM] += values[path[2 * i + 1]] / SURE
        counters[PLAYOUTS] += 1
        if at_root:
            counters[ROOT_PLAYOUTS] += 1
            for one in range(MOST_SEATS):
                counters[VALUE_SUMS + one] += values[one]
    return root
