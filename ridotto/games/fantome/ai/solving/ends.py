"""The ends of a round, judged: a value of what all then know, from a table by round, suspects, La Carlotta, cards and belief.

Raoul's alibi is drawn here, at the end of the round; see docs/solver.md.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy

from ridotto.engine.build import compiled
from ridotto.engine.dice import ones
from ridotto.engine.fields import Row
from ridotto.games.fantome.ai.solving.tree import NO_DRAW, PHANTOM_DRAWS
from ridotto.games.fantome.components import EXIT
from ridotto.games.fantome.rules import EVERYBODY, PEOPLE, F

CHANCES, SPREADS = 9, 7
"""The steps of a belief in the table of values: of a suspect's own share, and of how unequal the shares are."""
SHAPE = (2, PEOPLE + 1, EXIT + 1, 2, PEOPLE + 1, CHANCES, SPREADS)
"""The table of values: the phantom's chance to win when a round begins, for one suspect. By whether the round is odd, the
suspects, La Carlotta's way to the exit, whether the suspect's card is in that round, how many suspects' cards are, the steps of
its share of the belief, and those of the spread. (Of odd rounds the cards are not known yet.)"""
LEAF_SHAPE = (3, 2, PEOPLE + 1, 2, PEOPLE + 1, CHANCES, SPREADS)
"""The same for the ends of one round: by who drew an alibi, whether the phantom can manifest, suspects left, and so on."""


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
    """The chance that the next alibi is a phantom card; then, by the number of suspects, that it is an innocent suspect's."""
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
    """The worth of an end of the round to each suspect who may be the phantom, with these weights as the belief.

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
