"""The rest of a round as a game of its own, solved by CFR+ (Tammelin, 2014) over the identities that the phantom may have.

A move of this game is a whole activation: a card, its movement, its power. Everything is public but who the phantom is, so a
node is a *board* with the cards still to be played; the phantom has a strategy for each suspect there, the inspector one for
all. Boards that are reached in different orders by the same player within one turn are one node: the inspector learns nothing
from the order that the phantom could not keep to themselves, and the phantom nothing at all. What follows the round is a
value of what all then know: a table by round, suspects, La Carlotta, next cards and belief (see docs/solver.md).

Two things are simplified, in what is looked ahead at and nowhere else: Raoul's alibi is drawn at the end of the round, and
the phantom does not use that they know whose alibis they kept.
"""

from __future__ import annotations

from math import exp, sqrt
from typing import Any, NamedTuple

import numpy

from ridotto.engine.build import Build, compiled
from ridotto.engine.dice import LOW32, lowest, ones
from ridotto.engine.fields import Row
from ridotto.games.fantome.ai.bot import board_of, unwatched, where
from ridotto.games.fantome.components import EXIT
from ridotto.games.fantome.rules import (
    EVERYBODY,
    INSPECTOR,
    NOBODY,
    PEOPLE,
    PHANTOM,
    PICK,
    RAOUL,
    F,
    apply,
    legal,
    to_act,
)

DARK, LOCK = 8, 9
PIECES = (1 << 40) - 1
"""The bits of a board that say where characters, blackout and padlock are; the cards to come follow, then the group."""
CARDS_AT, GROUP_AT = 40, 48
STACK = 512
MOST_FINALS = 1 << 14
MOST_NODES = 1 << 19
MOST_EDGES = 1 << 22
SLOTS = 1 << 20
CLOSED = -1
"""In place of a child: the round is over."""

CHANCES, SPREADS = 9, 7
"""The steps of a belief in the table of values: of a suspect's own share, and of how unequal the shares are."""
EXPLORED, GLANCE = 0.3, 0.03
"""The share of choices by what looks best when ends are foreseen, and how much better one looks e times as good."""
NO_DRAW, PHANTOM_DRAWS, INSPECTOR_DRAWS = 0, 1, 2
"""Who plays Raoul in the rest of the round."""
SHAPE = (2, PEOPLE + 1, EXIT + 1, 2, PEOPLE + 1, CHANCES, SPREADS)
"""The table of values: the phantom's chance to win when a round begins, for one suspect. By whether the round is odd, the
suspects, La Carlotta's way to the exit, whether the suspect's card is in that round, how many suspects' cards are, the steps of
its share of the belief, and those of the spread. (Of odd rounds the cards are not known yet.)"""
LEAF_SHAPE = (3, 2, PEOPLE + 1, 2, PEOPLE + 1, CHANCES, SPREADS)
"""The same for the ends of one round: by who drew an alibi, whether the phantom can manifest, suspects left, and so on."""


class RoundTree(NamedTuple):
    """The rest of a round. The edges of a node follow each other; nodes come in the order of the cards played."""

    keys: Any
    """The board, the cards to come, and the group of each node: of a whole round, which first move led here."""
    owners: Any
    draws: Any
    """Who has played Raoul before each node."""
    first: Any
    """The first edge of each node, and the end of the last."""
    children: Any
    closes: Any
    """The suspects who are unwatched when an edge ends the round, one bit for each suspect in order."""
    slots: Any
    """Where an edge's numbers begin: one for each suspect if the phantom chooses it, else one."""
    finals: Any
    """The board that each edge leads to."""


# Boards and rows.


@compiled
def place_board(s: Row, board: int) -> None:
    """Put the pieces of a row where a board has them, with its cards to come, before a card is chosen."""
    for who in range(PEOPLE):
        s[F.place + who] = where(board, who)
    s[F.dark] = where(board, DARK)
    s[F.padlock] = where(board, LOCK)
    s[F.offered] = board >> CARDS_AT & EVERYBODY
    s[F.asked] = PICK
    s[F.active] = NOBODY
    s[F.companion] = NOBODY
    s[F.unlocked] = -1
    s[F.expelled] = 0


@compiled
def finish_card(s: Row, stack: Any, row: Row, mask: Any, dice: Any, events: Any, out: Any) -> int:
    """All boards, with the cards to come, that the card in hand (or any card, before one is chosen) can lead to.

    Some may come twice. Nothing is drawn and no round is closed: the row is played on as if it were the first card of a round
    without alibis. Returns how many there are.
    """
    for word in range(len(s)):
        stack[0, word] = s[word]
    stack[0, F.played] = 0
    stack[0, F.shown] = EVERYBODY
    stack[0, F.ghosts] = 0
    stack[0, F.held] = 0
    stack[0, F.identity] = 0
    top = 1
    count = 0
    while top > 0:
        top -= 1
        if stack[top, F.played] == 1:
            if count < len(out):
                out[count] = board_of(stack[top]) & PIECES | stack[top, F.offered] << CARDS_AT
                count += 1
            continue
        for word in range(len(s)):
            row[word] = stack[top, word]
        seat = lowest(to_act(row))
        legal(row, seat, mask)
        for part in range(len(mask)):
            bits = mask[part] & LOW32
            while bits:
                action = (part << 5) + lowest(bits)
                bits &= bits - 1
                for word in range(len(s)):
                    stack[top, word] = row[word]
                apply(stack[top], seat, action, dice, events)
                top += 1
    return count


@compiled
def player_of(s: Row, cards_later: int) -> int:
    """Who plays the card that comes so many cards later."""
    seat: int = (((s[F.played] + cards_later + 1) >> 1) ^ s[F.round] ^ 1) & 1
    return seat


@compiled
def squeeze(group: int, suspects: int) -> int:
    """A set of characters as bits for the suspects alone, in order."""
    bits = 0
    at = 0
    for who in range(PEOPLE):
        if suspects >> who & 1:
            bits |= (group >> who & 1) << at
            at += 1
    return bits


# Growing the tree.


@compiled
def thin_out(out: Any, found: int, cards: int, most: int, by_card: Any) -> int:
    """Keep at most so many of the boards that each card leads to, evenly spread; returns how many are left."""
    if found <= most:
        return found
    for who in range(PEOPLE):
        by_card[who] = 0
    for i in range(found):
        by_card[lowest(cards & ~(out[i] >> CARDS_AT))] += 1
    kept = 0
    for who in range(PEOPLE):
        # By card, since the boards of a card come one after the other.
        seen = 0
        total = by_card[who]
        if total == 0:
            continue
        for i in range(found):
            if lowest(cards & ~(out[i] >> CARDS_AT)) == who:
                if total <= most or seen * most // total != (seen - 1) * most // total:
                    final = out[i]
                    out[i] = out[kept]
                    out[kept] = final
                    kept += 1
                seen += 1
    return kept


@compiled
def slot_for(table: Any, keys: Any, key: int) -> int:
    """Where a node is in the hash table, or would be."""
    at = ((key ^ key >> 23) * 0x9E3779B1 ^ key >> 41) & (SLOTS - 1)
    while table[at] >= 0 and keys[table[at]] != key:
        at = (at + 1) & (SLOTS - 1)
    return at


@compiled
def grow(
    s: Row, drawn_before: int, most_nodes: int, most_finals: int, stack: Any, row: Row, mask: Any, dice: Any, events: Any
) -> Any:
    """The tree of the rest of a round; without nodes if it is too large.

    Of a card that could lead to more than `most_finals` boards, only so many are looked at, and more of them at the root. Of a
    whole round, boards are the same node only after the same first move: so a player's turn never hides what the other did
    before it.
    """
    suspects = s[F.suspects] & EVERYBODY
    cards = ones(s[F.offered] & EVERYBODY) + (1 if s[F.active] != NOBODY else 0)
    is_grouped = cards > 3
    count_suspects = ones(suspects)
    table = numpy.full(SLOTS, -1, numpy.int32)
    keys = numpy.empty(MOST_NODES, numpy.int64)
    owners = numpy.empty(MOST_NODES, numpy.int8)
    draws = numpy.empty(MOST_NODES, numpy.int8)
    first = numpy.empty(MOST_NODES + 1, numpy.int32)
    parents = numpy.full(MOST_NODES, -1, numpy.int32)
    children = numpy.empty(MOST_EDGES, numpy.int32)
    closes = numpy.empty(MOST_EDGES, numpy.uint8)
    slots = numpy.empty(MOST_EDGES + 1, numpy.int32)
    finals = numpy.empty(MOST_EDGES, numpy.int64)
    out = numpy.empty(MOST_FINALS, numpy.int64)
    closed_at = numpy.full(256, -1, numpy.int32)
    here: Any = numpy.empty(len(s), numpy.int16)
    by_card = numpy.zeros(PEOPLE, numpy.int64)

    keys[0] = -1
    owners[0] = player_of(s, 0)
    draws[0] = drawn_before
    nodes, edges, numbers = 1, 0, 0
    begin = 0
    full = False
    for depth in range(cards):
        end = nodes
        mover = player_of(s, depth)
        width = count_suspects if mover == PHANTOM else 1
        drawn = PHANTOM_DRAWS if mover == PHANTOM else INSPECTOR_DRAWS
        for node in range(begin, end):
            first[node] = edges
            for word in range(len(s)):
                here[word] = s[word]
            if depth > 0:
                place_board(here, keys[node])
            held = here[F.offered] | (1 << here[F.active] if here[F.active] != NOBODY else 0)
            found = finish_card(here, stack, row, mask, dice, events, out)
            found = thin_out(out, found, held, most_finals if depth > 0 else 8 * most_finals, by_card)
            if edges + found > MOST_EDGES or nodes + found > most_nodes:
                full = True
                break
            for i in range(found):
                final = out[i]
                draw = draws[node]
                if held >> RAOUL & 1 and not final >> CARDS_AT + RAOUL & 1:
                    draw = drawn
                if depth == cards - 1:
                    close = squeeze(unwatched(final), suspects)
                    if closed_at[close] == node:
                        continue
                    closed_at[close] = node
                    children[edges] = CLOSED
                    closes[edges] = close
                else:
                    group = keys[node] >> GROUP_AT if depth > 0 else 0
                    key = final | group << GROUP_AT
                    if depth == 0 and is_grouped:
                        key = final | (i + 1) << GROUP_AT
                        # The same board twice is the same first move.
                        twin = False
                        for edge in range(first[node], edges):
                            if finals[edge] == final:
                                twin = True
                        if twin:
                            continue
                    at = slot_for(table, keys, key)
                    child = table[at]
                    if child < 0:
                        child = nodes
                        nodes += 1
                        table[at] = child
                        keys[child] = key
                        owners[child] = player_of(s, depth + 1)
                        draws[child] = draw
                    elif parents[child] == node:
                        continue
                    parents[child] = node
                    children[edges] = child
                    closes[edges] = 0
                finals[edges] = final
                slots[edges] = numbers
                numbers += width
                edges += 1
        if full:
            break
        begin = end
    if full:
        nodes, edges, numbers = 0, 0, 0
    first[nodes] = edges
    slots[edges] = numbers
    # The draws of a last card by Raoul are those of its player.
    return RoundTree(
        keys[:nodes].copy(),
        owners[:nodes].copy(),
        draws[:nodes].copy(),
        first[: nodes + 1].copy(),
        children[:edges].copy(),
        closes[:edges].copy(),
        slots[: edges + 1].copy(),
        finals[:edges].copy(),
    )


# What follows the round.


@compiled
def after_close(table: Any, odd: int, left: int, space: int, card: int, cards: int, chance: int, spread: int) -> float:
    """The phantom's chance when a round begins with so many suspects and La Carlotta on a space."""
    if left <= 1:
        return 0.0
    if space >= EXIT:
        return 1.0
    value: float = table[odd, left, EXIT - space, card, cards, chance, spread]
    return value


@compiled
def after_draw(
    s: Row, table: Any, draw: int, can: int, left: int, card: int, cards: int, chance: int, spread: int, drawn: Any
) -> float:
    """The phantom's chance after an end of this round, by who has drawn an alibi on the way.

    `drawn` is how likely that alibi is a phantom card, and how likely it is another suspect's, for each number of suspects.
    """
    odd = 1 - (s[F.round] & 1)
    space = s[F.carlotta]
    plain = after_close(table, odd, left, space + left + can, card, cards, chance, spread)
    if draw == NO_DRAW:
        return plain
    ghost: float = drawn[0]
    if draw == PHANTOM_DRAWS:
        fright = 1.0
        if space + 1 < EXIT:
            fright = after_close(table, odd, left, space + left + can + 1, card, cards, chance, spread)
        return ghost * fright + (1 - ghost) * plain
    innocent: float = drawn[left]
    fewer = min(cards, left - 1) if left > 0 else 0
    back = after_close(table, odd, left, max(space - 1, 0) + left + can, card, cards, chance, spread)
    shown = after_close(table, odd, left - 1, space + left - 1 + can, card, fewer, chance, spread)
    return ghost * back + (1 - ghost) * (innocent * shown + (1 - innocent) * plain)


@compiled
def foresee_draw(s: Row, drawn: Any) -> None:
    """How likely the next alibi is a phantom card; then, by the number of suspects, how likely it is an innocent suspect's."""
    unseen = PEOPLE - ones(s[F.shown] & EVERYBODY) - 1
    pile = unseen - s[F.kept] + s[F.ghosts]
    drawn[0] = s[F.ghosts] / pile if pile > 0 else 0.0
    for left in range(1, PEOPLE + 1):
        drawn[left] = min(1.0, (left - 1) / unseen) if unseen > 0 and pile > 0 else 0.0


@compiled
def prepare_leaves(s: Row, table: Any, leaves: Any) -> None:
    """Fill the values of all ends of this round, by who draws an alibi on the way."""
    drawn = numpy.zeros(PEOPLE + 1)
    foresee_draw(s, drawn)
    for draw in range(3):
        for can in range(2):
            for left in range(PEOPLE + 1):
                for card in range(2):
                    for cards in range(PEOPLE + 1):
                        for chance in range(CHANCES):
                            for spread in range(SPREADS):
                                leaves[draw, can, left, card, cards, chance, spread] = after_draw(
                                    s, table, draw, can, left, card, cards, chance, spread, drawn
                                )


@compiled
def judge_close(
    close: int,
    draw: int,
    weights: Any,
    prior: Any,
    next_cards: int,
    n: int,
    leaves: Any,
    odds: Any,
    exact: Any,
    values: Any,
    at: int,
) -> None:
    """What an end of the round is worth to each suspect who may be the phantom, with these weights as the belief.

    `exact` has what is known of this very end, without an alibi: by whether the phantom can manifest; -1 if nothing is.
    """
    for can in range(2):
        group = close if can else ~close & ((1 << n) - 1)
        left = ones(group)
        if left == 0:
            continue
        if exact[can] >= 0:
            # An alibi that is drawn on the way changes it as much as it changes what the table says.
            plain = leaves[NO_DRAW, can, left, 0, 0, 0, 0]
            known = min(1.0, exact[can] * leaves[draw, can, left, 0, 0, 0, 0] / plain) if plain > 0 else exact[can]
            for i in range(n):
                if group >> i & 1:
                    values[at + i] = known
            continue
        better = odds[can, group]
        total = 0.0
        for i in range(n):
            if group >> i & 1:
                total += weights[i]
        is_reached = total > 1e-12
        if not is_reached:
            total = 0.0
            for i in range(n):
                if group >> i & 1:
                    total += prior[i]
        even = total <= 1e-12
        squares = 0.0
        for i in range(n):
            if group >> i & 1:
                share = 1.0 / left if even else (weights[i] if is_reached else prior[i]) / total
                squares += share * share
        spread = 0.0
        if left > 1:
            spread = sqrt(max(0.0, (squares - 1.0 / left) / (1.0 - 1.0 / left))) * (SPREADS - 1)
        low = min(int(spread), SPREADS - 2)
        part = spread - low
        cards = ones(group & next_cards)
        for i in range(n):
            if group >> i & 1:
                share = 1.0 / left if even else (weights[i] if is_reached else prior[i]) / total
                step = sqrt(share) * (CHANCES - 1)
                under = min(int(step), CHANCES - 2)
                rest = step - under
                card = next_cards >> i & 1
                block = leaves[draw, can, left, card, cards]
                value = (1 - rest) * ((1 - part) * block[under, low] + part * block[under, low + 1]) + rest * (
                    (1 - part) * block[under + 1, low] + part * block[under + 1, low + 1]
                )
                values[at + i] = value * better / (1 - value + value * better)


# CFR+. The arrays: `regrets` and `sums` (weighted strategies) by slot, `values` by node and suspect, `ends` by edge and
# suspect, the reach of both players by node, and `passed`, the phantom's weighted reach of every node.


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
    """How likely a player's own choices lead to each node, by the current strategy; adds it to the average, with a weight."""
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
    """How likely each end of the round is, and whether the phantom can then manifest: if players choose by their average
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
    """What every node is worth if one player knows the other's average strategy and makes the best of it."""
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


# Solving, from Python.


def next_row(build: Build, row: Row, final: int, suspects: list[int], can: int, cards: int) -> Row:
    """The beginning of the next round, after an end of this one; after an even round with these cards."""
    after = build.copy(row)
    place_board(after, final)
    after[F.suspects] = sum(1 << who for who in suspects)
    after[F.carlotta] = int(row[F.carlotta]) + len(suspects) + can
    after[F.round], after[F.played] = row[F.round] + 1, 0
    after[F.offered] = row[F.pile] if row[F.round] & 1 else cards
    after[F.pile] = 0 if row[F.round] & 1 else EVERYBODY & ~cards
    return after


SIZES = ((80_000, MOST_FINALS), (80_000, 24), (80_000, 12), (MOST_NODES, 6))
"""How large a tree may be, and how many boards of a card it may look at: the first that fits is taken."""
VALUES = "values.npz"
"""The file of the table of values, beside this one."""
MEDIUM = ((20_000, 24), (20_000, 12), (MOST_NODES, 5))
"""The same for a round that is judged, not played."""


class Room:
    """The arrays in which trees are grown: one for each thread."""

    def __init__(self, build: Build) -> None:
        self.stack = numpy.zeros((STACK, build.rules.FIELDS.width), numpy.int16)
        self.rest = build.row(), build.mask(), build.generator(0), build.events(muted=True)


class Solution:
    """The rest of a round, solved for one belief: strategies at every board, and what each suspect may expect."""

    def __init__(
        self,
        build: Build,
        row: Row,
        belief: Any,
        table: Any,
        room: Room | None = None,
        drawn_before: int = NO_DRAW,
        sizes: tuple[tuple[int, int], ...] = SIZES,
    ) -> None:
        """Grow the tree; `belief` is how likely each character is to be the phantom.

        `drawn_before` is who has played Raoul in this round, if his alibi is still to be drawn.
        """
        room = room or Room(build)
        self.row = build.copy(row)
        suspects = int(row[F.suspects]) & EVERYBODY
        self.suspects = [who for who in range(PEOPLE) if suspects >> who & 1]
        prior = numpy.array([max(0.0, belief[who]) for who in self.suspects], numpy.float64)
        self.prior = prior / prior.sum() if prior.sum() > 0 else numpy.full(len(prior), 1 / len(prior))
        for size in sizes:
            self.tree = grow(self.row, drawn_before, *size, room.stack, *room.rest)
            if len(self.tree.keys):
                break
        nodes, edges, n = len(self.tree.keys), len(self.tree.children), len(prior)
        self.leaves = numpy.empty(LEAF_SHAPE, numpy.float32)
        prepare_leaves(self.row, table, self.leaves)
        self.odds = numpy.ones((2, 1 << len(self.suspects)), numpy.float32)
        """How much better than by the table the odds are after an end: by whether the phantom can manifest, and who is left."""
        self.exact = numpy.full((edges, 2), -1, numpy.float32)
        """What is known exactly of an end, by whether the phantom can manifest; less than 0 if nothing is."""
        shapes = (int(self.tree.slots[-1]), int(self.tree.slots[-1]), nodes * n, edges * n, nodes * n, (nodes, n), nodes)
        self.arrays = tuple(numpy.zeros(shape, numpy.float32) for shape in shapes)
        self.totals = numpy.zeros(nodes * n)
        self.iterations = 0

    def run(self, iterations: int) -> None:
        """So many iterations more."""
        arrays = self.odds, self.exact, self.arrays, self.totals
        iterate(self.tree, self.row, self.prior, self.leaves, *arrays, self.iterations, iterations)
        self.iterations += iterations

    def begin_again(self) -> None:
        """Forget the averages and keep the regrets: the ends of the round are worth something else from now on."""
        for one in (self.arrays[1], self.arrays[5], self.totals):
            one[...] = 0
        self.iterations = 0

    def ways(self) -> Any:
        """How likely each end of the round is: by edge, and by whether the phantom can manifest."""
        likely = numpy.zeros((len(self.tree.children), 2))
        foresee(self.tree, self.prior, self.arrays, likely)
        return likely

    @property
    def means(self) -> Any:
        """What each node is worth to each suspect as the phantom, on the average of the iterations."""
        weight = max(1, self.iterations * (self.iterations + 1) * (2 * self.iterations + 1) / 6)
        return self.totals.reshape(-1, len(self.prior)) / weight

    @property
    def values(self) -> Any:
        """What each suspect may expect as the phantom: a share of the win."""
        return self.means[0]

    def responses(self, best: int) -> Any:
        """What each node is worth to each suspect if one player makes the best of the other's average strategy."""
        values = numpy.zeros(len(self.tree.keys) * len(self.prior))
        respond(self.tree, self.prior, best, self.arrays, values)
        return values.reshape(-1, len(self.prior))

    @property
    def exploitability(self) -> float:
        """What best replies within the round gain against the average strategies, on the average of both seats."""
        above, below = (float(self.responses(best)[0] @ self.prior) for best in (PHANTOM, INSPECTOR))
        return (above - below) / 2

    def choices(self, node: int = 0) -> Choices:
        """What there is to choose at a node, and the average strategy."""
        tree, n = self.tree, len(self.prior)
        _, sums, _, ends, *_ = self.arrays
        begin, end = int(tree.first[node]), int(tree.first[node + 1])
        width = n if tree.owners[node] == PHANTOM else 1
        shares = sums[int(tree.slots[begin]) : int(tree.slots[end])].reshape(end - begin, width).astype(numpy.float64)
        total = shares.sum(axis=0)
        shares = numpy.where(total > 0, shares / numpy.where(total > 0, total, 1), 1 / (end - begin))
        children = tree.children[begin:end].copy()
        is_last = bool(children[0] == CLOSED)
        gains = ends[begin * n : end * n].reshape(-1, n) if is_last else self.means[children]
        keys = tree.closes[begin:end].tolist() if is_last else tree.finals[begin:end].tolist()
        return Choices({key: i for i, key in enumerate(keys)}, is_last, children, shares, gains.astype(numpy.float64))

    def plan(self) -> Plan:
        """What the player at the root needs of it for this turn."""
        tree = self.tree
        nodes = {0: self.choices(0)}
        for child in nodes[0].children:
            if child >= 0 and tree.owners[child] == tree.owners[0] == PHANTOM:
                nodes[int(child)] = self.choices(int(child))
        return Plan(self.suspects, self.prior, self.values, self.iterations, nodes)


class Choices(NamedTuple):
    """What can be chosen at one node: boards, or ways to end the round."""

    keys: dict[int, int]
    """The number of each choice, by its board, or by who is unwatched if it ends the round."""
    is_last: bool
    children: Any
    shares: Any
    """How likely each choice is: by choice, and by suspect if the phantom chooses."""
    gains: Any
    """What each choice is worth to each suspect as the phantom, on the average of the iterations."""


class Plan(NamedTuple):
    """A solution without its tree: what is needed for one turn."""

    suspects: list[int]
    prior: Any
    values: Any
    """What each suspect may expect as the phantom: a share of the win."""
    iterations: int
    nodes: dict[int, Choices]
