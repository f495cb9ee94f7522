"""The kernels of one game on a GPU, over the same rules and driver as everywhere. Loaded by the `cuda` build alone.

Threads of a warp run in step, so 32 tables at 32 different points of a match would wait for each other. A block therefore
keeps many tables and, for every decision, puts them in the order of what is done there, then in the order of what is asked
next: neighbours do the same thing at the same time. Matches that end are dealt anew together. Measured on an H200, a million
tables, against one thread a table in no order: Le Fantôme 2.7 times as fast, Turandot 3.4, Opera 2.2.
"""

from __future__ import annotations

from typing import Any, Final

from numba import int32, uint32

from ridotto.engine import build
from ridotto.engine.build import constants
from ridotto.engine.contract import ACTIONS, FIELDS, QUESTION, apply, legal, to_act
from ridotto.engine.dice import is_legal, lowest
from ridotto.engine.driver import ACTION_COUNT, READERS, WIDTH, WORDS, begin, credit, random_action
from ridotto.engine.fields import HIDDEN

cuda: Final[Any] = build.cuda()

THREADS: Final = 1024
"""Threads in a block: one block fills a multiprocessor, so that the tables in work at a time stay in its cache. Turandot on an
H200: 128 threads 349, 256 threads 470, 512 threads 664, 1,024 threads 765 million decisions a second."""
REGISTERS: Final = 65_536 // THREADS
"""What each thread may use; the compiler would take 72 to 80 and spills a few."""
MOST: Final = 2 * THREADS
"""Tables that a block can keep: the more, the better they line up; 1,024 make 688 and 365 million of Turandot and Opera, 2,048
make 765 and 406."""
KINDS: Final = max(len(ACTIONS), FIELDS.field_at(QUESTION).top + 1 if QUESTION >= 0 else 1)
"""Kinds of action, or of question, whichever are more."""
SLOTS: Final = KINDS + 1
VERB: Final = constants([i for i, family in enumerate(ACTIONS) for _ in range(family.size)])
"""Of what kind each action is."""


@cuda.jit(device=True)
def line_up(kinds: Any, first: int, last: int, starts: Any, order: Any) -> int:
    """Put the tables of a block in the order of their kind, those of kind -1 left out; how many there are."""
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
def ask(s: Any, i: int, acting: Any, masks: Any) -> None:
    """Note who is asked at a table, and what is legal."""
    mask = cuda.local.array(WORDS, uint32)
    seat = lowest(to_act(s))
    legal(s, seat, mask)
    acting[i] = seat
    for word in range(WORDS):
        masks[i, word] = mask[word]


@cuda.jit
def deal_tables(
    rows: Any, dice: Any, acting: Any, masks: Any, options: Any, events: Any, seats: int, seed: int, each: int
) -> None:
    """Deal the first match at every table."""
    first = cuda.blockIdx.x * each
    last = min(first + each, rows.shape[0])
    for i in range(first + cuda.threadIdx.x, last, THREADS):
        begin(rows[i], options, dice[i], events, seats, seed, i)
        ask(rows[i], i, acting, masks)


@cuda.jit(max_registers=REGISTERS)
def advance_tables(
    rows: Any,
    dice: Any,
    matches: Any,
    acting: Any,
    masks: Any,
    rewards: Any,
    ended: Any,
    actions: Any,
    chosen: Any,
    kinds: Any,
    fault: Any,
    options: Any,
    events: Any,
    seats: int,
    seed: int,
    decisions: int,
    each: int,
) -> None:
    """Make decisions at every table, the first of them as `actions` say; `fault` gets a table whose action is not legal."""
    order = cuda.shared.array(MOST, int32)
    over = cuda.shared.array(MOST, int32)
    overs = cuda.shared.array(1, int32)
    starts = cuda.shared.array(SLOTS, int32)
    thread = cuda.threadIdx.x
    first = cuda.blockIdx.x * each
    last = min(first + each, rows.shape[0])
    for i in range(first + thread, last, THREADS):
        ended[i] = 0
        for seat in range(seats):
            rewards[i, seat] = 0.0
    for decision in range(decisions):
        # Choose.
        for i in range(first + thread, last, THREADS):
            action = int(actions[i]) if decision == 0 else -1
            if action == -1:
                action = random_action(masks[i], dice[i])
            elif action < 0 or action >= ACTION_COUNT or not is_legal(masks[i], action):
                fault[0] = i
                action = -1
            chosen[i] = action
            kinds[i] = VERB[action] if action >= 0 else -1
        if thread == 0:
            overs[0] = 0

        # Do it, the same things side by side.
        count = line_up(kinds, first, last, starts, order)
        for at in range(thread, count, THREADS):
            i = order[at]
            apply(rows[i], acting[i], chosen[i], dice[i], events)
            if to_act(rows[i]) == 0:
                over[cuda.atomic.add(overs, 0, 1)] = i
                kinds[i] = -1
            else:
                kinds[i] = rows[i, QUESTION] if QUESTION >= 0 else 0
        cuda.syncthreads()

        # See what is legal next, the same questions side by side.
        count = line_up(kinds, first, last, starts, order)
        for at in range(thread, count, THREADS):
            ask(rows[order[at]], order[at], acting, masks)

        # Deal anew where a match is over.
        for at in range(thread, overs[0], THREADS):
            i = over[at]
            credit(rows[i], seats, rewards[i])
            matches[i] += 1
            ended[i] += 1
            begin(rows[i], options, dice[i], events, seats, seed, i + (matches[i] << 32))
            ask(rows[i], i, acting, masks)
        cuda.syncthreads()


@cuda.jit
def observe_tables(rows: Any, acting: Any, masked: Any, each: int) -> None:
    """Every row as the seat to act may know it."""
    first = cuda.blockIdx.x * each
    last = min(first + each, rows.shape[0])
    for i in range(first + cuda.threadIdx.x, last, THREADS):
        seat = acting[i]
        for word in range(WIDTH):
            masked[i, word] = rows[i, word] if READERS[word] >> seat & 1 else HIDDEN


@cuda.jit
def list_tables(masks: Any, counts: Any, ids: Any, each: int) -> None:
    """The legal actions at every table, in ascending order; -1 where there are no more."""
    first = cuda.blockIdx.x * each
    last = min(first + each, masks.shape[0])
    for i in range(first + cuda.threadIdx.x, last, THREADS):
        count = 0
        for action in range(ACTION_COUNT):
            if is_legal(masks[i], action):
                ids[i, count] = action
                count += 1
        counts[i] = count
        for rest in range(count, ACTION_COUNT):
            ids[i, rest] = -1
