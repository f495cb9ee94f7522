"""A round with two suspects left, worked out exactly.

If one of them is watched and the other is not when the round closes, the phantom is found out, whoever it is; otherwise nobody
is cleared. So it makes no difference which of the two is the phantom: nobody has a secret that matters, and what is left is a
game of complete information in which the phantom wants both alike. It is searched to its end, for each thing it can end in
from the best one down: can the phantom bring about that, or better? The search stops as soon as a choice settles that, and
remembers boards.
"""

from __future__ import annotations

from typing import Any

import numpy

from ridotto.engine.build import Build, compiled
from ridotto.engine.dice import lowest, ones
from ridotto.engine.fields import Row
from ridotto.games.fantome.bot import board_of, closes_of, survey, unwatched
from ridotto.games.fantome.rules import BUQUET, EVERYBODY, MONCHARMIN, NOBODY, PERSAN, PHANTOM, RAOUL, F
from ridotto.games.fantome.solver_tree import (
    CARDS_AT,
    CHANCES,
    GROUP_AT,
    INSPECTOR_DRAWS,
    LEAF_SHAPE,
    NO_DRAW,
    PHANTOM_DRAWS,
    PIECES,
    Room,
    finish_card,
    place_board,
    player_of,
    prepare_leaves,
)

MOST = 1 << 13
"""The most boards of one card that are looked at."""
SLOTS = 1 << 17
FULL = SLOTS * 3 // 4
"""How many boards are remembered: one more is worked out each time it comes up."""
EVEN = round(0.5**0.5 * (CHANCES - 1))
"""The step of the table for an even belief; with two suspects it has the same value at all of them."""
UNSURE = 1 << BUQUET | 1 << MONCHARMIN | 1 << PERSAN
"""Those of whom `closes_of` does not see everything that they can do; what it sees is so."""


@compiled
def _slot(keys: Any, key: int) -> int:
    """Where a board is in the hash table, or would be."""
    at = ((key ^ key >> 23) * 0x9E3779B1 ^ key >> 41) & (SLOTS - 1)
    while keys[at] != key and keys[at] != 0:
        at = (at + 1) & (SLOTS - 1)
    return at


@compiled
def can_force(
    s: Row, need: float, ends: Any, lists: Any, keys: Any, known: Any, stack: Any, row: Row, mask: Any, dice: Any, events: Any
) -> bool:
    """Whether the phantom can make the rest of the round worth so much.

    `ends` is what an end with both alike is worth: by who draws an alibi, and by whether the two are unwatched.
    """
    suspects = s[F.suspects] & EVERYBODY
    cards = 0
    left = s[F.offered] & EVERYBODY
    while left:
        cards += 1
        left &= left - 1
    counts = numpy.zeros(4, numpy.int64)
    at = numpy.zeros(4, numpy.int64)
    boards = numpy.zeros(4, numpy.int64)
    slots = numpy.zeros(4, numpy.int64)
    here = s.copy()
    keys[:] = 0
    remembered = 0
    depth = 0
    answer = False
    entering = True
    while True:
        phantom = player_of(s, depth) == PHANTOM
        if entering:
            for word in range(len(s)):
                here[word] = s[word]
            if depth > 0:
                place_board(here, boards[depth])
            offered = here[F.offered] & EVERYBODY
            drawn = boards[depth] >> GROUP_AT if depth > 0 else NO_DRAW
            mine = PHANTOM_DRAWS if phantom else INSPECTOR_DRAWS
            if depth == cards - 1:
                # The last card: one end that is good enough for the phantom, or bad enough for the inspector, settles it.
                if offered == 1 << RAOUL:
                    drawn = mine
                good = (1 if ends[drawn, 0] >= need else 0) | (4 if ends[drawn, 1] >= need else 0)
                settles = good if phantom else 7 & ~good
                who = lowest(offered)
                board = board_of(here) & PIECES
                answer = (
                    phantom if closes_of(board, who, survey(board, suspects), suspects, NOBODY, 1) & settles else not phantom
                )
                if answer != phantom and UNSURE >> who & 1:
                    found = finish_card(here, stack, row, mask, dice, events, lists[depth])
                    for i in range(found):
                        if settles >> ones(unwatched(lists[depth, i]) & suspects) & 1:
                            answer = phantom
                            break
                entering = False
                if depth == 0:
                    return answer
                if slots[depth] >= 0:
                    known[slots[depth]] = answer
                depth -= 1
                continue
            found = finish_card(here, stack, row, mask, dice, events, lists[depth])
            for i in range(found):
                final = lists[depth, i]
                by = drawn
                if offered >> RAOUL & 1 and not final >> CARDS_AT + RAOUL & 1:
                    by = mine
                lists[depth, i] = final | by << GROUP_AT
            counts[depth] = found
            at[depth] = 0
            entering = False
            answer = not phantom
        elif answer == phantom:
            # What came of the last choice settles it.
            if depth == 0:
                return answer
            if slots[depth] >= 0:
                known[slots[depth]] = answer
            depth -= 1
            continue
        settled = False
        while at[depth] < counts[depth]:
            board = lists[depth, at[depth]]
            at[depth] += 1
            slot = _slot(keys, board)
            if keys[slot] == board:
                if known[slot] == phantom:
                    settled = True
                    break
                continue
            boards[depth + 1] = board
            slots[depth + 1] = -1
            if remembered < FULL:
                remembered += 1
                keys[slot] = board
                slots[depth + 1] = slot
            entering = True
            break
        if entering:
            depth += 1
            continue
        answer = phantom if settled else not phantom
        if depth == 0:
            return answer
        if slots[depth] >= 0:
            known[slots[depth]] = answer
        depth -= 1


class Duel:
    """The room to search in: one for each thread."""

    def __init__(self, build: Build) -> None:
        self.room = Room(build)
        self.leaves = numpy.empty(LEAF_SHAPE, numpy.float32)
        self.lists = numpy.zeros((4, MOST), numpy.int64)
        self.keys = numpy.zeros(SLOTS, numpy.int64)
        self.known = numpy.zeros(SLOTS, numpy.bool_)

    def value(self, row: Row, table: Any) -> float:
        """What a round is worth to the phantom, from its beginning; with what the table says of the next one."""
        prepare_leaves(row, table, self.leaves)
        ends = self.leaves[:, :, 2, 0, 0, EVEN, 0].astype(numpy.float64)
        draws = [PHANTOM_DRAWS, INSPECTOR_DRAWS] if int(row[F.offered]) >> RAOUL & 1 else [NO_DRAW]
        worths = {float(ends[draw, can]) for draw in draws for can in range(2)} - {0.0}
        for worth in sorted(worths, reverse=True):
            if can_force(row, worth, ends, self.lists, self.keys, self.known, self.room.stack, *self.room.rest):
                return worth
        return 0.0
