"""A round with two suspects left, worked out exactly.

If one of them is watched and the other is not when the round closes, the phantom is found out, whoever it is; otherwise nobody
is cleared. So it makes no difference which of the two is the phantom: nobody has a secret that matters, and what is left is a
game of complete information in which the phantom wants both alike. It is searched to its end, for each thing it can end in
from the best one down: can the phantom bring about that, or better? The search stops as soon as a choice settles that, and
remembers boards.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy

from ridotto.engine.build import Build, compiled
from ridotto.engine.dice import lowest, ones
from ridotto.engine.fields import Row
from ridotto.games.fantome.ai.board import board_of, unwatched
from ridotto.games.fantome.ai.outlook import closes_of, survey
from ridotto.games.fantome.ai.solving.boards import CARDS_AT, GROUP_AT, PIECES, finish_card, place_board, player_of, squeeze
from ridotto.games.fantome.ai.solving.ends import CHANCES, after_draw, foresee_draw
from ridotto.games.fantome.ai.solving.solution import Choices, Plan, Room, next_row
from ridotto.games.fantome.ai.solving.tree import (
    CLOSED,
    INSPECTOR_DRAWS,
    MOST_FINALS,
    MOST_NODES,
    NO_DRAW,
    PHANTOM_DRAWS,
    RoundTree,
    grow,
)
from ridotto.games.fantome.components import EXIT
from ridotto.games.fantome.rules import BUQUET, EVERYBODY, MONCHARMIN, NOBODY, PEOPLE, PERSAN, PHANTOM, RAOUL, F

MOST = 1 << 13
"""The most boards of one card that are looked at."""
SLOTS = 1 << 17
SEARCH_AT = GROUP_AT + 2
"""The place of the number of the search in a key, so that what is left of earlier ones counts as nothing."""
MOST_SEARCHES = 1 << 12
SEARCHES, LOOKS, KEPT = 0, 1, 2
"""The counts: of questions whether something can be forced, of beginnings of rounds that were asked for, and of those that are
remembered."""
FULL = SLOTS * 3 // 4
"""The number of boards that are remembered: one more is worked out each time it comes up."""
EVEN = round(0.5**0.5 * (CHANCES - 1))
"""The step of the table for an even belief; with two suspects it has the same value at all of them."""
UNSURE = 1 << BUQUET | 1 << MONCHARMIN | 1 << PERSAN
"""Those of whom `closes_of` does not see everything that they can do; what it sees is so."""


class Space(NamedTuple):
    """The arrays to search in."""

    lists: Any
    """The boards that the cards on the way lead to."""
    keys: Any
    known: Any
    """The hash table of boards: whether the phantom can force there what is asked."""
    count: Any
    stack: Any
    row: Any
    mask: Any
    dice: Any
    events: Any


@compiled
def _slot(keys: Any, key: int) -> int:
    """The place of a key in a hash table, or its place to be: an empty one, or one left by an earlier search."""
    at = ((key ^ key >> 23) * 0x9E3779B1 ^ key >> 41) & (len(keys) - 1)
    while keys[at] != key and keys[at] >> SEARCH_AT == key >> SEARCH_AT:
        at = (at + 1) & (len(keys) - 1)
    return at


@compiled
def can_force(s: Row, need: float, ends: Any, space: Space) -> bool:
    """Whether the phantom can make the rest of the round worth so much.

    `ends` is what an end with both alike is worth: by who draws an alibi, and by whether the two are unwatched.
    """
    lists, keys, known, count, stack, row, mask, dice, events = space
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
    count[SEARCHES] += 1
    if count[SEARCHES] % MOST_SEARCHES == 0:
        keys[:] = 0
        count[SEARCHES] += 1
    search = count[SEARCHES] % MOST_SEARCHES << SEARCH_AT
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
                    finals = finish_card(here, stack, row, mask, dice, events, lists[depth])
                    for i in range(finals):
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
            finals = finish_card(here, stack, row, mask, dice, events, lists[depth])
            for i in range(finals):
                final = lists[depth, i]
                by = drawn
                if offered >> RAOUL & 1 and not final >> CARDS_AT + RAOUL & 1:
                    by = mine
                lists[depth, i] = final | by << GROUP_AT
            counts[depth] = finals
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
            slot = _slot(keys, board | search)
            if keys[slot] == board | search:
                if known[slot] == phantom:
                    settled = True
                    break
                continue
            boards[depth + 1] = board
            slots[depth + 1] = -1
            if remembered < FULL:
                remembered += 1
                keys[slot] = board | search
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


@compiled
def round_value(s: Row, ends: Any, space: Space) -> float:
    """The worth of the rest of a round to the phantom: the most that can be forced, of all that it can end in."""
    has_raoul = s[F.offered] >> RAOUL & 1
    worth = 0.0
    while True:
        # The next better end; most rounds are lost or won at the first question.
        need = 2.0
        for draw in range(3):
            for can in range(2):
                if (draw != NO_DRAW) == (has_raoul == 1) and worth < ends[draw, can] < need:
                    need = ends[draw, can]
        if need > 1.0 or not can_force(s, need, ends, space):
            return worth
        worth = need


@compiled
def prepare_ends(s: Row, table: Any, ends: Any) -> None:
    """The worth of the ends of a round with both suspects alike: by who draws an alibi, and by whether they are unwatched."""
    drawn = numpy.zeros(PEOPLE + 1)
    foresee_draw(s, drawn)
    for draw in range(3):
        for can in range(2):
            ends[draw, can] = after_draw(s, table, draw, can, 2, 0, 0, EVEN, 0, drawn)


# Two rounds: an odd one, and the even one after it, whose cards are known by then.

LARGE = ((100_000, MOST_FINALS), (60_000, 24), (MOST_NODES, 8))
"""The most nodes of the tree of the odd round, and the most boards of a card that it looks at."""
CARELESS = 0.1
"""The weight, beside what can be forced, of what comes of it if the other chooses without looking so far."""
REMEMBERED = 1 << 16
"""Room for the values of beginnings of even rounds."""


class Beginnings(NamedTuple):
    """The beginnings of the even round after an odd one."""

    afters: Any
    """Rows of it, without the pieces: by whether the two suspects were unwatched when the odd one ended."""
    ends: Any
    """What can come of it: by the same."""
    seen: Any
    values: Any
    """The hash table of the worth of beginnings."""
    out: Any


class Groups(NamedTuple):
    """The phantom's choices after each choice of the inspector's: nodes before the last card."""

    order: Any
    """All of them, in the order in which they are tried."""
    at: Any
    end: Any
    """The first and the last of those of a group that were not tried yet."""
    best: Any
    chosen: Any
    """The least that the phantom can have in a group, and by which node; -1 if by none."""


@compiled
def count_ends(tree: RoundTree, s: Row, counts: Any, out: Any, space: Space) -> None:
    """Count the boards on which the inspector can end the round, for each node before the last card; none if one of them
    separates the two, and none for other nodes."""
    here = s.copy()
    for node in range(len(tree.keys)):
        counts[node] = 0
        if tree.children[tree.first[node]] != CLOSED:
            continue
        is_caught = False
        for edge in range(tree.first[node], tree.first[node + 1]):
            if tree.closes[edge] == 1 or tree.closes[edge] == 2:
                is_caught = True
        if not is_caught:
            for word in range(len(s)):
                here[word] = s[word]
            if node > 0:
                place_board(here, tree.keys[node])
            counts[node] = finish_card(here, space.stack, space.row, space.mask, space.dice, space.events, out)


@compiled
def beginning_value(board: int, can: int, pair: int, even: Beginnings, space: Space) -> float:
    """The worth of the even round to the phantom when it begins with these two suspects on a board; it is remembered."""
    afters, ends, seen, values, _ = even
    count = space.count
    if afters[can, F.carlotta] >= EXIT:
        return 1.0
    key = board | can << CARDS_AT | pair << CARDS_AT + 1 | 1 << SEARCH_AT
    slot = _slot(seen, key)
    if seen[slot] == key:
        worth: float = values[slot]
        return worth
    after = afters[can]
    place_board(after, board | afters[can, F.offered] << CARDS_AT)
    after[F.suspects] = pair
    worth = round_value(after, ends[can], space)
    if count[KEPT] < len(seen) // 2:
        count[KEPT] += 1
        seen[slot] = key
        values[slot] = worth
    return worth


@compiled
def worst_end(
    tree: RoundTree, node: int, limit: float, s: Row, factors: Any, even: Beginnings, space: Space
) -> tuple[float, float]:
    """The worth of a node before the last card if the inspector ends the round on the best board, and on the average of all
    boards. It stops at a board that is not worth more than the limit.

    `factors` is what an alibi makes of it: by who draws, and by whether the two are unwatched.
    """
    pair = s[F.suspects] & EVERYBODY
    here = s.copy()
    if node > 0:
        place_board(here, tree.keys[node])
    draw = tree.draws[node]
    if here[F.offered] == 1 << RAOUL:
        draw = INSPECTOR_DRAWS
    finals = finish_card(here, space.stack, space.row, space.mask, space.dice, space.events, even.out)
    least = 1.0
    total = 0.0
    for i in range(finals):
        board = even.out[i] & PIECES
        can = 1 if unwatched(board) & pair else 0
        space.count[LOOKS] += 1
        worth = min(1.0, factors[draw, can] * beginning_value(board, can, pair, even, space))
        total += worth
        least = min(least, worth)
        if least <= limit:
            break
    return least, total / finals


@compiled
def worst_pair(board: int, close: int, can: int, pair: int, s: Row, even: Beginnings, space: Space) -> float:
    """The worth to the phantom of being one of two who are left when the round ends in one way, on the worst of all boards that
    end it so. The last card is played from a board; -1 is the board of the row."""
    suspects = s[F.suspects] & EVERYBODY
    here = s.copy()
    if board >= 0:
        place_board(here, board)
    finals = finish_card(here, space.stack, space.row, space.mask, space.dice, space.events, even.out)
    least = 1.0
    for i in range(finals):
        final = even.out[i] & PIECES
        if squeeze(unwatched(final), suspects) == close:
            space.count[LOOKS] += 1
            least = min(least, beginning_value(final, can, pair, even, space))
            if least <= 0:
                break
    return least


@compiled
def explore(
    tree: RoundTree, most: int, top: float, groups: Groups, s: Row, factors: Any, even: Beginnings, space: Space
) -> bool:
    """Look at some more boards; whether it is known by then which group is worth least."""
    order, at, end, best, chosen = groups
    until = space.count[LOOKS] + most
    while space.count[LOOKS] < until:
        group = 0
        for i in range(len(at)):
            if best[i] < best[group] or (best[i] == best[group] and end[i] - at[i] < end[group] - at[group]):
                group = i
        if at[group] == end[group] or best[group] >= top:
            return True
        node = order[at[group]]
        at[group] += 1
        worth, _ = worst_end(tree, node, best[group], s, factors, even, space)
        if worth > best[group]:
            best[group] = worth
            chosen[group] = node
    return False


class EvenRounds:
    """The beginnings of the even round after an odd one, with two suspects: what they are worth, worked out and remembered."""

    def __init__(self, build: Build, row: Row, table: Any) -> None:
        afters = numpy.stack([next_row(build, row, 0, [], can, 0) for can in range(2)])
        afters[:, F.carlotta] += 2
        self.ends = numpy.ones((2, 3, 2))
        for can in range(2):
            if afters[can, F.carlotta] < EXIT:
                prepare_ends(afters[can], table, self.ends[can])
        remembered = numpy.zeros(REMEMBERED, numpy.int64), numpy.zeros(REMEMBERED)
        self.beginnings = Beginnings(afters, self.ends, *remembered, numpy.empty(MOST_FINALS, numpy.int64))
        self.space = Duel(build).space

    @classmethod
    def of(cls, build: Build, row: Row, table: Any, memory: dict[bytes, Any]) -> EvenRounds:
        """Those after this odd round, with what is still in the memory."""
        facts = row[F.round], row[F.pile], row[F.carlotta], row[F.shown], row[F.kept], row[F.ghosts]
        key = b"even" + numpy.array(facts, numpy.int16).tobytes()
        if key not in memory:
            memory[key] = cls(build, row, table)
        rounds: EvenRounds = memory[key]
        return rounds

    @property
    def looks(self) -> int:
        """The number of beginnings that were asked for so far."""
        return int(self.space.count[LOOKS])

    def value(self, board: int, can: int, pair: int) -> float:
        """The worth of one of them to the phantom."""
        return float(beginning_value(board & PIECES, can, pair, self.beginnings, self.space))

    def worst(self, row: Row, board: int, close: int, can: int, pair: int) -> float:
        """The worth of the worst of them that an end of the odd round leads to; see `worst_pair`."""
        return float(worst_pair(board, close, can, pair, row, self.beginnings, self.space))


class TwoRounds:
    """The rest of an odd round with two suspects, and the even one after it: what each choice is worth."""

    def __init__(self, build: Build, row: Row, table: Any, even: EvenRounds) -> None:
        self.row, self.even = build.copy(row), even
        room = Room(build)
        for size in LARGE:
            self.tree = grow(self.row, NO_DRAW, *size, room.stack, *room.rest)
            if len(self.tree.keys):
                break
        tree = self.tree
        leaves = numpy.empty((3, 2))
        prepare_ends(self.row, table, leaves)
        factors = leaves / numpy.where(leaves[NO_DRAW] > 0, leaves[NO_DRAW], 1)
        self.top = min(1.0, float((even.ends.max(axis=(1, 2)) * factors.max(axis=0)).max()))
        counts = numpy.zeros(len(tree.keys), numpy.int64)
        count_ends(tree, self.row, counts, even.beginnings.out, even.space)
        self.arrays = self.row, factors, even.beginnings, even.space
        # The fewer boards the inspector can choose from, the better for the phantom.
        order = numpy.argsort(counts, kind="stable")
        order = order[counts[order] > 0]
        at, end = numpy.zeros(1, numpy.int64), numpy.array([len(order)])
        if tree.owners[0] != PHANTOM:
            order = order[numpy.argsort(tree.keys[order] >> GROUP_AT, kind="stable")]
            groups, wanted = tree.keys[order] >> GROUP_AT, tree.keys[tree.children[: tree.first[1]]] >> GROUP_AT
            at, end = (numpy.searchsorted(groups, wanted, side) for side in ("left", "right"))
        self.begin = at.copy()
        self.groups = Groups(order, at, end, numpy.zeros(len(at)), numpy.full(len(at), -1))
        self.is_done = False

    @property
    def best(self) -> Any:
        """The least that the phantom can have: after each choice of the inspector's, or by their own."""
        return self.groups.best

    def run(self, most: int) -> None:
        """Look at so many boards more, or a few more than that."""
        self.is_done = bool(explore(self.tree, most, self.top, self.groups, *self.arrays))

    def compare(self, is_enough: Callable[[], bool]) -> None:
        """Of what the phantom can choose, prefer what is best if the inspector does not find the best board, either."""
        order, _, _, best, chosen = self.groups
        score = -1.0
        for node in order:
            if is_enough():
                break
            least, mean = worst_end(self.tree, int(node), -1.0, *self.arrays)
            if least + CARELESS * mean > score and least >= best[0]:
                score, best[0], chosen[0] = least + CARELESS * mean, least, node

    def plan(self) -> Plan | None:
        """The part that the player at the root needs; None if nothing was found that the phantom could do."""
        tree, (order, at, end, best, chosen) = self.tree, self.groups
        edges = int(tree.first[1])
        children = tree.children[:edges]
        if tree.owners[0] == PHANTOM:
            if chosen[0] < 0:
                return None
            ways = numpy.array([chosen[0] in (child, *self._after(child)) for child in children.tolist()])
            worth = numpy.where(ways, best[0], 0.0)
            shares = numpy.stack([ways / ways.sum()] * 2, axis=1)
        else:
            # What was not looked at may be as good for the phantom as what was found elsewhere.
            unknown = (end - at) / numpy.maximum(1, end - self.begin)
            worth = best + unknown * numpy.maximum(0, best.mean() - best)
            rank = worth + CARELESS * (end - self.begin) / max(1, len(order))
            shares = (numpy.arange(edges) == rank.argmin())[:, None].astype(numpy.float64)
        keys = {int(final): i for i, final in enumerate(tree.finals[:edges])}
        choices = Choices(keys, False, numpy.full(edges, -1), shares, numpy.stack([worth] * 2, axis=1))
        value = float(worth.max() if tree.owners[0] == PHANTOM else worth.min())
        suspects = [who for who in range(PEOPLE) if int(self.row[F.suspects]) >> who & 1]
        return Plan(suspects, numpy.full(2, 0.5), numpy.full(2, value), self.even.looks, {0: choices})

    def _after(self, node: int) -> list[int]:
        """The nodes after a node."""
        children: list[int] = self.tree.children[self.tree.first[node] : self.tree.first[node + 1]].tolist()
        return children


class Duel:
    """The room to search in: one for each thread."""

    def __init__(self, build: Build) -> None:
        room = Room(build)
        self.ends = numpy.empty((3, 2))
        lists, count = numpy.zeros((4, MOST), numpy.int64), numpy.zeros(3, numpy.int64)
        keys, known = numpy.zeros(SLOTS, numpy.int64), numpy.zeros(SLOTS, numpy.bool_)
        self.space = Space(lists, keys, known, count, room.stack, *room.rest)

    def value(self, row: Row, table: Any) -> float:
        """The worth of the rest of a round to the phantom; with what the table says of the next one."""
        prepare_ends(row, table, self.ends)
        return float(round_value(row, self.ends, self.space))
