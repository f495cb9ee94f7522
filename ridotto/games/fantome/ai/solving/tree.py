"""The rest of a round as a tree of the boards that it can come to.

A move of this tree is a whole activation: a card, its movement, its power. Everything is public but who the phantom is, so a
node is a *board* with the cards still to be played. Boards that are reached in different orders by the same player within one
turn are one node: the inspector learns nothing from the order that the phantom could not keep to themselves, and the phantom
nothing at all.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy

from ridotto.engine.build import compiled
from ridotto.engine.dice import lowest, ones
from ridotto.engine.fields import Row
from ridotto.games.fantome.ai.board import unwatched
from ridotto.games.fantome.ai.solving.boards import CARDS_AT, GROUP_AT, finish_card, place_board, player_of, squeeze
from ridotto.games.fantome.rules import EVERYBODY, NOBODY, PEOPLE, PHANTOM, RAOUL, F

MOST_FINALS = 1 << 14
MOST_NODES = 1 << 19
MOST_EDGES = 1 << 22
SLOTS = 1 << 20
CLOSED = -1
"""In place of a child: the round is over."""
NO_DRAW, PHANTOM_DRAWS, INSPECTOR_DRAWS = 0, 1, 2
"""The player of Raoul in the rest of the round."""


class RoundTree(NamedTuple):
    """The rest of a round. The edges of a node follow each other; nodes come in the order of the cards played."""

    keys: Any
    """The board, the cards to come, and the group of each node: of a whole round, which first move led here."""
    owners: Any
    draws: Any
    """The player of Raoul before each node."""
    first: Any
    """The first edge of each node, and the end of the last."""
    children: Any
    closes: Any
    """The suspects who are unwatched when an edge ends the round, one bit for each suspect in order."""
    slots: Any
    """The beginning of an edge's numbers: one for each suspect if the phantom chooses it, else one."""
    finals: Any
    """The board that each edge leads to."""


@compiled
def thin_out(out: Any, count: int, cards: int, most: int, by_card: Any) -> int:
    """Keep at most so many of the boards that each card leads to, evenly spread; returns how many are left."""
    if count <= most:
        return count
    for who in range(PEOPLE):
        by_card[who] = 0
    for i in range(count):
        by_card[lowest(cards & ~(out[i] >> CARDS_AT))] += 1
    left = 0
    for who in range(PEOPLE):
        # By card, since the boards of a card come one after the other.
        seen = 0
        total = by_card[who]
        if total == 0:
            continue
        for i in range(count):
            if lowest(cards & ~(out[i] >> CARDS_AT)) == who:
                if total <= most or seen * most // total != (seen - 1) * most // total:
                    final = out[i]
                    out[i] = out[left]
                    out[left] = final
                    left += 1
                seen += 1
    return left


@compiled
def slot_for(table: Any, keys: Any, key: int) -> int:
    """The place of a node in the hash table, or its place to be."""
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
            count = finish_card(here, stack, row, mask, dice, events, out)
            count = thin_out(out, count, held, most_finals if depth > 0 else 8 * most_finals, by_card)
            if edges + count > MOST_EDGES or nodes + count > most_nodes:
                full = True
                break
            for i in range(count):
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
