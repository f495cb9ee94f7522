"""The kernels of one game on a GPU, over the same rules and driver as everywhere. Loaded by the `cuda` build alone.

Threads of a warp run in step, so 32 rows at 32 different points of a match would wait for each other. A block therefore
keeps many rows and, for every decision, sorts them by the kind of action, then by the kind of the next decision (`QUESTION` of
the rules), so that neighbours do the same thing at the same time. New matches are dealt together for those that have ended.
Measured on an H200 with a million rows, against one thread a row in no order: our games are 2.2 to 3.4 times as fast.
"""

from __future__ import annotations

from typing import Any, Final

from numba import int16, int32, uint32

from ridotto.engine import build
from ridotto.engine.build import constants
from ridotto.engine.contract import rules
from ridotto.engine.dice import is_legal, lowest
from ridotto.engine.driver import ACTION_COUNT, READERS, WIDTH, WORDS, begin, credit, random_action
from ridotto.engine.fields import HIDDEN

cuda: Final[Any] = build.cuda()

THREADS: Final = 1024
"""Threads in a block: one block fills a multiprocessor, so that the rows in work at a time stay in its cache. A game with long
rules on an H200: 128 threads 349, 256 threads 470, 512 threads 664, 1,024 threads 765 million decisions a second."""
REGISTERS: Final = 65_536 // THREADS
"""The registers each thread may use; the compiler would take 72 to 80 and spills a few."""
MOST: Final = 2 * THREADS
"""The most rows in a block: with more rows, more neighbours are of the same kind; two games made 688 and 365 million decisions
a second with 1,024 rows, 765 and 406 with 2,048."""
QUESTION: Final = rules.QUESTION
KINDS: Final = max(len(rules.ACTIONS), rules.FIELDS.field_at(QUESTION).top + 1 if QUESTION >= 0 else 1)
"""The number of kinds of action or of question, whichever is more."""
SLOTS: Final = KINDS + 1
PARTS: Final = len(rules.PARTS)
VERB: Final = constants([i for i, family in enumerate(rules.ACTIONS) for _ in range(family.size)])
"""The kind of each action: the number of its verb."""


@cuda.jit(device=True)
def sort_by_kind(kinds: Any, first: int, last: int, starts: Any, order: Any) -> int:
    """Sort the rows of a block by their kind, without those of kind -1; returns how many there are."""
    thread = cuda.threadIdx.x
    if thread < SLOTS:
        starts[thread] = 0
    cuda.syncthreads()
    for i in range(first + thread, last, THREADS):
        if kinds[i] >= 0:
            cuda.atomic.add(starts, kinds[i], 1)
    cuda.syncthreads()
    if thread == 0:
        total = 0
        for kind in range(SLOTS):
            count = starts[kind]
            starts[kind] = total
            total += count
    cuda.syncthreads()
    for i in range(first + thread, last, THREADS):
        if kinds[i] >= 0:
            order[cuda.atomic.add(starts, kinds[i], 1)] = i
    cuda.syncthreads()
    return int(starts[KINDS])


@cuda.jit(device=True)
def update_turn(batch: Any, i: int) -> None:
    """Set the seat to act in a row, and its legal actions."""
    mask = cuda.local.array(WORDS, uint32)
    seat = lowest(rules.to_act(batch.rows[i]))
    rules.legal(batch.rows[i], seat, mask)
    batch.acting[i] = seat
    for word in range(WORDS):
        batch.masks[i, word] = mask[word]


@cuda.jit(device=True)
def add_scores(batch: Any, i: int, seats: int) -> None:
    """Add the scores of a match that is over to those of its row."""
    parts = cuda.local.array(PARTS, int16)
    for seat in range(seats):
        batch.scores[i, seat] += rules.score(batch.rows[i], seat, parts)


@cuda.jit
def deal_rows(batch: Any, events: Any, deal: Any, each: int) -> None:
    """Deal the first match in every row."""
    first = cuda.blockIdx.x * each
    last = min(first + each, batch.rows.shape[0])
    for i in range(first + cuda.threadIdx.x, last, THREADS):
        begin(batch.rows[i], batch.dice[i], events, deal, i)
        update_turn(batch, i)


@cuda.jit(max_registers=REGISTERS)
def advance_rows(batch: Any, events: Any, deal: Any, actions: Any, decisions: int, grouping: Any, each: int) -> None:
    """Make decisions in every row, beginning with `actions`; a row whose action is not legal is recorded as the fault."""
    rows = batch.rows
    dice = batch.dice
    matches = batch.matches
    chosen = grouping.chosen
    kinds = grouping.kinds
    order = cuda.shared.array(MOST, int32)
    ended_rows = cuda.shared.array(MOST, int32)
    ended_count = cuda.shared.array(1, int32)
    starts = cuda.shared.array(SLOTS, int32)
    thread = cuda.threadIdx.x
    first = cuda.blockIdx.x * each
    last = min(first + each, rows.shape[0])
    for i in range(first + thread, last, THREADS):
        batch.ended[i] = 0
        for seat in range(deal.seats):
            batch.rewards[i, seat] = 0.0
            if len(batch.scores) > 0:
                batch.scores[i, seat] = 0
    for decision in range(decisions):
        # Choose.
        for i in range(first + thread, last, THREADS):
            action = int(actions[i]) if decision == 0 else -1
            if action == -1:
                action = random_action(batch.masks[i], dice[i])
            elif action < 0 or action >= ACTION_COUNT or not is_legal(batch.masks[i], action):
                grouping.fault[0] = i
                action = -1
            chosen[i] = action
            kinds[i] = VERB[action] if action >= 0 else -1
        if thread == 0:
            ended_count[0] = 0

        # Apply the actions, those of the same kind side by side.
        count = sort_by_kind(kinds, first, last, starts, order)
        for at in range(thread, count, THREADS):
            i = order[at]
            rules.apply(rows[i], batch.acting[i], chosen[i], dice[i], events)
            if rules.to_act(rows[i]) == 0:
                ended_rows[cuda.atomic.add(ended_count, 0, 1)] = i
                kinds[i] = -1
            else:
                kinds[i] = rows[i, QUESTION] if QUESTION >= 0 else 0
        cuda.syncthreads()

        # Work out the legal actions, for the same kind of question side by side.
        count = sort_by_kind(kinds, first, last, starts, order)
        for at in range(thread, count, THREADS):
            update_turn(batch, order[at])

        # Deal the next match where one is over.
        for at in range(thread, ended_count[0], THREADS):
            i = ended_rows[at]
            credit(rows[i], deal.seats, batch.rewards[i])
            if len(batch.scores) > 0:
                add_scores(batch, i, deal.seats)
            matches[i] += 1
            batch.ended[i] += 1
            begin(rows[i], dice[i], events, deal, i + (matches[i] << 32))
            update_turn(batch, i)
        cuda.syncthreads()


@cuda.jit
def mask_rows(batch: Any, masked: Any, each: int) -> None:
    """Every row as the seat to act may know it."""
    first = cuda.blockIdx.x * each
    last = min(first + each, batch.rows.shape[0])
    for i in range(first + cuda.threadIdx.x, last, THREADS):
        seat = batch.acting[i]
        for word in range(WIDTH):
            masked[i, word] = batch.rows[i, word] if READERS[word] >> seat & 1 else HIDDEN


@cuda.jit
def list_legal(batch: Any, counts: Any, ids: Any, each: int) -> None:
    """The legal actions in every row, in ascending order; -1 where there are no more."""
    first = cuda.blockIdx.x * each
    last = min(first + each, batch.masks.shape[0])
    for i in range(first + cuda.threadIdx.x, last, THREADS):
        count = 0
        for action in range(ACTION_COUNT):
            if is_legal(batch.masks[i], action):
                ids[i, count] = action
                count += 1
        counts[i] = count
        for rest in range(count, ACTION_COUNT):
            ids[i, rest] = -1
