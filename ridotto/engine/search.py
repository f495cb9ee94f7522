"""The compiled search of one game: information-set Monte Carlo tree search. Loaded once per game and target.

A playout draws a world with `redeal` that its seat cannot tell from the true one, walks down a tree, leaves it at a
place not seen before, goes on as the game's own `policy` would, and is cut where the game's `value` can judge.

A node is what the seat to act knows there: a hash of its masked row. So nobody in the tree decides by what it cannot
know, and two ways to the same knowledge meet in one node. (This is the multiple-observer kind of Cowling, Powley and
Whitehouse, 2012. Legal actions depend on a seat's knowledge alone, so that a node's actions are always the same.)
Where a seat has secrets of its own, its rivals do not know them: some playouts begin in a world that a spectator could
imagine, and only those teach the rivals' nodes.

Each seat chooses as in PUCT (Rosin, 2011), with `policy` as the prior, by what its own actions gave. A choice that others
do not see has to be mixed, not merely good: there some choices are drawn by how often each action was tried (Smooth UCT,
Heinrich and Silver, 2015), which makes these numbers the mixture to play. It needs no second set of numbers, and on three
matrices of two by two it was within a few hundredths of the right mixture after ten thousand choices.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from ridotto.engine.arrays import Asked, Tree, Workspace
from ridotto.engine.build import compiled, constants
from ridotto.engine.contract import bot, rules
from ridotto.engine.dice import LOW32, count_legal, draw, lowest, nth_legal, ones
from ridotto.engine.driver import random_action
from ridotto.engine.fields import Dice, Row, Seat

WIDTH = rules.FIELDS.width
MOST = rules.FIELDS[1].top
ACTION_COUNT = rules.ACTIONS.size

# The words of a node, and of an edge: one action at a node.
KEY, CHECK, FIRST, COUNT, NODE = 0, 1, 2, 3, 4
ACTION, PRIOR, VISITS, SUM, EDGE = 0, 1, 2, 3, 4
# The words of a ledger: nodes and edges in use, the playouts made and those of them that began at the root's own node,
# then what each seat got in these, in sum.
NODES, EDGES, PLAYOUTS, OWN, GOT = 0, 1, 2, 3, 4
LEDGER = GOT + 8
# What may be tuned, in thousandths: how much is explored; how often a playout makes a random choice; how much less than
# the rest an action never tried is thought to be worth; how many playouts teach the rivals. And how many places that are
# fit to be judged a playout passes before one stops it.
EXPLORE, RANDOM, CAUTION, TEACHING, AHEAD, SETTINGS = 0, 1, 2, 3, 4, 5

SURE = 10_000
"""A certain win, as `value` counts it."""
SMOOTH = 300
"""How many hidden choices, in thousandths, are drawn by how often each action was tried."""
LONGEST = 96
"""Decisions in the tree on one playout, at the most."""
ENDLESS = 5_000
GLANCES = 8
"""Worlds looked at to see whether a seat has secrets of its own."""
TRIES = 64
"""Worlds drawn before an implausible one is taken all the same."""
SCALE = 256
"""A plausibility of one."""


def _multipliers(lane: int) -> list[int]:
    """A random odd number for each seat and word; nothing where the seat may not look."""
    state, found = 0x2545F491 + lane, []
    for seat in range(MOST):
        hidden = set(rules.FIELDS.hidden(seat))
        for word in range(WIDTH):
            state = (state * 0x5851F42D4C957F2D + 0x14057B7EF767814F) & 0xFFFFFFFFFFFFFFFF
            found.append(0 if word in hidden else state >> 33 | 1)
    return found


FIRST_LANE = constants(_multipliers(0))
SECOND_LANE = constants(_multipliers(1))
IS_HIDDEN = constants([int(rules.ACTIONS.family(action).audience != "all") for action in range(ACTION_COUNT)])
"""Whether an action is a choice that others do not see."""


# The tree.


@compiled
def lane(s: Row, seat: Seat, multipliers: Sequence[int]) -> int:
    """Half of the hash of what a seat knows."""
    at = seat * WIDTH
    total = seat + 1
    for word in range(WIDTH):
        total += multipliers[at + word] * s[word]
    return total


@compiled
def slot_of(nodes: Row, key: int, check: int) -> int:
    """Where a node is kept, or would be."""
    slots = len(nodes) // NODE
    at = (((key ^ key >> 29) & LOW32) * 0x5BD1E995 >> 11) & (slots - 1)
    while nodes[at * NODE + COUNT] != 0 and (nodes[at * NODE + KEY] != key or nodes[at * NODE + CHECK] != check):
        at = (at + 1) & (slots - 1)
    return at * NODE


@compiled
def open_node(s: Row, seat: Seat, node: int, key: int, check: int, draws: int, tree: Tree, work: Workspace) -> int:
    """Begin a node, unless the tree is full, with `draws` of the policy as its prior; what the policy would do."""
    nodes = tree.nodes
    edges = tree.edges
    ledger = tree.ledger
    mask = work.mask
    rules.legal(s, seat, mask)
    count = count_legal(mask)
    first = ledger[EDGES]
    if (ledger[NODES] + 1) * NODE * 4 > len(nodes) * 3 or (first + count) * EDGE > len(edges):
        if count == 1:
            return random_action(mask, work.dice)
        return bot.policy(s, seat, mask, work.dice, work.events, work.scratch)
    nodes[node + KEY] = key
    nodes[node + CHECK] = check
    nodes[node + FIRST] = first
    nodes[node + COUNT] = count
    ledger[NODES] += 1
    ledger[EDGES] = first + count
    even = 1.0 / (2 * count)
    for i in range(count):
        edge = (first + i) * EDGE
        edges[edge + ACTION] = nth_legal(mask, i)
        edges[edge + PRIOR] = even
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
def find_edge(tree: Tree, node: int, action: int) -> int:
    """The edge of an action."""
    edge = tree.nodes[node + FIRST] * EDGE
    while tree.edges[edge + ACTION] != action:
        edge += EDGE
    return edge


@compiled
def hope(edges: list[float], edge: int, untried: float, urge: float) -> float:
    """What an edge may be worth: what it gave, and more the less it was tried and the more the policy thinks of it."""
    tried = edges[edge + VISITS]
    worth = edges[edge + SUM] / tried if tried > 0 else untried
    return worth + urge * edges[edge + PRIOR] / (1 + tried)


@compiled
def open_choice(tree: Tree, node: int, settings: Row) -> int:
    """The edge that may be worth most."""
    edges = tree.edges
    first = tree.nodes[node + FIRST] * EDGE
    last = first + tree.nodes[node + COUNT] * EDGE
    visits = 0.0
    total = 0.0
    for edge in range(first, last, EDGE):
        visits += edges[edge + VISITS]
        total += edges[edge + SUM]
    untried = total / visits - settings[CAUTION] / 1000 if visits > 0 else 0.5
    urge = settings[EXPLORE] / 1000 * sqrt(visits + 1)
    best = first
    most = -1e9
    for edge in range(first, last, EDGE):
        worth = hope(edges, edge, untried, urge)
        if worth > most:
            most = worth
            best = edge
    return best


@compiled
def usual_choice(tree: Tree, node: int, dice: Dice) -> int:
    """An edge drawn by how often each was tried."""
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
def firm_choice(tree: Tree, node: int) -> int:
    """The edge that was tried most."""
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
def imagine(world: Row, masked: Row, seat: Seat, belief: Row, dice: Dice) -> None:
    """Draw a world, the plausible ones more often."""
    for _ in range(TRIES):
        for word in range(WIDTH):
            world[word] = masked[word]
        rules.redeal(world, seat, dice)
        likely = bot.plausible(world, belief)
        if likely >= SCALE or draw(dice, SCALE) < likely:
            return


@compiled
def judge(s: Row, values: Row, scratch: Row) -> None:
    """What each seat gets in the end: its share of the win, and a little by how the game judges the end."""
    won = rules.winners(s)
    bot.value(s, values, scratch)
    for seat in range(MOST):
        share = SURE // ones(won) if won >> seat & 1 else 0
        values[seat] = (15 * share + values[seat]) // 16


@compiled
def play_out(s: Row, ahead: int, random: int, values: Row, work: Workspace) -> None:
    """Go on as the policy would, but for some random choices, to the end or to a place where the game can be judged."""
    mask = work.mask
    dice = work.dice
    for _ in range(ENDLESS):
        waiting = rules.to_act(s)
        if waiting == 0:
            judge(s, values, work.scratch)
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
def search(asked: Asked, playouts: int, tree: Tree, work: Workspace) -> int:
    """Make playouts for a seat that has to decide; the root's node.

    In both rows that are asked about, choices made at the same time are taken back. The tree may hold what was found
    before: in the same match it goes on being true.
    """
    masked = asked.masked
    public = asked.public
    seat = asked.seat
    belief = asked.belief
    settings = asked.settings
    nodes = tree.nodes
    edges = tree.edges
    path = tree.path
    values = tree.values
    ledger = tree.ledger
    world = work.row
    dice = work.dice
    bot.recall(masked, seat)
    bot.recall(public, -1)
    key = lane(masked, seat, FIRST_LANE)
    check = lane(masked, seat, SECOND_LANE)
    root = slot_of(nodes, key, check)
    if nodes[root + COUNT] == 0:
        open_node(masked, seat, root, key, check, 16, tree, work)
    # The seat has secrets if a spectator can imagine it in another place than it is.
    secrets = False
    for _ in range(GLANCES):
        imagine(world, public, -1, belief, dice)
        if lane(world, seat, FIRST_LANE) != key:
            secrets = True

    for _ in range(playouts):
        # A world, and whom it teaches.
        teaching = True
        eyes = seat
        if secrets:
            teaching = draw(dice, 1000) < settings[TEACHING]
            if teaching:
                eyes = -1
        if eyes < 0:
            imagine(world, public, -1, belief, dice)
        else:
            imagine(world, masked, seat, belief, dice)

        # Down the tree, and out of it.
        depth = 0
        ahead = settings[AHEAD]
        out = False
        own = False
        while depth < LONGEST:
            waiting = rules.to_act(world)
            if waiting == 0:
                break
            actor = seat if depth == 0 and waiting >> seat & 1 else lowest(waiting)
            key = lane(world, actor, FIRST_LANE)
            check = lane(world, actor, SECOND_LANE)
            node = slot_of(nodes, key, check)
            if node == root:
                own = True
            if nodes[node + COUNT] == 0:
                action = open_node(world, actor, node, key, check, 1, tree, work)
                if nodes[node + COUNT] != 1:
                    out = True
                if nodes[node + COUNT] == 0:
                    rules.apply(world, actor, action, dice, work.events)
                    break
                edge = find_edge(tree, node, action)
            elif nodes[node + COUNT] == 1:
                edge = nodes[node + FIRST] * EDGE
            elif IS_HIDDEN[int(edges[nodes[node + FIRST] * EDGE + ACTION])] and draw(dice, 1000) < SMOOTH:
                edge = usual_choice(tree, node, dice)
            elif not teaching and actor != seat:
                edge = firm_choice(tree, node)
            else:
                edge = open_choice(tree, node, settings)
            path[2 * depth] = edge
            path[2 * depth + 1] = actor
            depth += 1
            rules.apply(world, actor, int(edges[edge + ACTION]), dice, work.events)
            if out:
                break
        play_out(world, ahead, settings[RANDOM], values, work)

        # What was learnt.
        for i in range(depth):
            if teaching or path[2 * i + 1] == seat:
                edges[path[2 * i] + VISITS] += 1
                edges[path[2 * i] + SUM] += values[path[2 * i + 1]] / SURE
        ledger[PLAYOUTS] += 1
        if own:
            ledger[OWN] += 1
            for one in range(MOST):
                ledger[GOT + one] += values[one]
    return root
