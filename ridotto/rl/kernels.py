"""Kernels for learners on a GPU: views as numbers, masks as one number an action. Loaded into a `cuda` build by `extend`."""

from __future__ import annotations

from typing import Any, Final

from numba import int16

from ridotto.engine import build
from ridotto.engine.contract import bot, rules
from ridotto.engine.dice import is_legal
from ridotto.engine.encoding import NUMBER, element
from ridotto.engine.fields import HIDDEN
from ridotto.rl.observe import ACTION_COUNT, LEAVE, START, exchange_names, show_features, show_memory, take_step

cuda: Final[Any] = build.cuda()

BLOCKS: Final = 132 * 16
THREADS: Final = 256
PARTS: Final = len(rules.PARTS)
WARP: Final = 32
"""Threads of a kernel in which each thread has much to do: so many in a block, so that all multiprocessors get some."""
NARROW: Final = 128
"""Neighbouring threads write neighbouring elements; a block goes from row to row."""


@cuda.jit
def encode_rows(masked: Any, viewers: Any, elements: Any, out: Any) -> None:
    """Every masked row as numbers, as its viewer sees it."""
    for i in range(cuda.blockIdx.x, out.shape[0], cuda.gridDim.x):
        seat = viewers[i]
        for at in range(cuda.threadIdx.x, out.shape[1], cuda.blockDim.x):
            word = masked[i, elements.words[seat, at]]
            out[i, at] = element(word, elements.ops[at], elements.arguments[seat, at], elements.scales[at])


@cuda.jit
def encode_bytes(masked: Any, viewers: Any, elements: Any, lows: Any, out: Any) -> None:
    """The same as whole numbers from 0 to 255."""
    for i in range(cuda.blockIdx.x, out.shape[0], cuda.gridDim.x):
        seat = viewers[i]
        for at in range(cuda.threadIdx.x, out.shape[1], cuda.blockDim.x):
            out[i, at] = whole(
                masked[i, elements.words[seat, at]], elements.ops[at], elements.arguments[seat, at], lows[at], 255
            )


@cuda.jit
def encode_bits(masked: Any, viewers: Any, elements: Any, lows: Any, bits: Any, shifts: Any, out: Any) -> None:
    """The same as bits, eight in a byte."""
    for i in range(cuda.blockIdx.x, out.shape[0], cuda.gridDim.x):
        seat = viewers[i]
        for at in range(cuda.threadIdx.x, out.shape[1], cuda.blockDim.x):
            byte = 0
            for bit in range(8 * at, 8 * at + 8):
                one = bits[bit]
                if one >= 0:
                    word = masked[i, elements.words[seat, one]]
                    number = whole(word, elements.ops[one], elements.arguments[seat, one], lows[one], 32767)
                    byte = byte << 1 | (number >> shifts[bit] & 1)
                else:
                    byte = byte << 1
            out[i, at] = byte


@cuda.jit(device=True)
def whole(word: int, op: int, argument: int, low: int, most: int) -> int:
    """One element as a whole number."""
    if op != NUMBER:
        return 1 if element(word, op, argument, 0.0) > 0 else 0
    return 0 if word == HIDDEN else min(most, int(word) - low)


@cuda.jit
def recall_rows(masked: Any, viewers: Any) -> None:
    """Take back simultaneous choices of others in every masked row."""
    for i in range(cuda.grid(1), masked.shape[0], cuda.gridsize(1)):
        bot.recall(masked[i], viewers[i])


@cuda.jit
def feature_rows(batch: Any, masked: Any, scratch: Any, out: Any, at: int) -> None:
    """Write the features of every row from column `at` on; one thread has one row."""
    for i in range(cuda.grid(1), masked.shape[0], cuda.gridsize(1)):
        show_features(masked[i], batch.acting[i], batch.masks[i], scratch[i], out[i], at)


@cuda.jit
def advise_rows(batch: Any, masked: Any, dice: Any, events: Any, scratch: Any, out: Any, first: int) -> None:
    """The choices of the game's own bot in the rows from `first` on, by its seat's view; one thread has one row."""
    for i in range(first + cuda.grid(1), masked.shape[0], cuda.gridsize(1)):
        out[i] = bot.policy(masked[i], batch.acting[i], batch.masks[i], dice[i], events, scratch[i])


@cuda.jit
def spread_masks(masks: Any, allowed: Any) -> None:
    """Every mask as one number an action."""
    for i in range(cuda.blockIdx.x, allowed.shape[0], cuda.gridDim.x):
        for action in range(cuda.threadIdx.x, ACTION_COUNT, cuda.blockDim.x):
            allowed[i, action] = 1 if is_legal(masks[i], action) else 0


@cuda.jit(device=True)
def step_row(
    batch: Any,
    learning: Any,
    bot_seats: Any,
    events: Any,
    scratch: Any,
    parts: Any,
    deal: Any,
    action: int,
    is_learners: bool,
    fault: Any,
    i: int,
) -> None:
    """Do one action in row `i` (or LEAVE, or START) and go on to the next decision of a learner."""
    if action == START or (0 <= action < ACTION_COUNT and is_legal(batch.masks[i], action)):
        heard = learning.events[i] if learning.events.shape[0] > 0 else events
        take_step(batch, learning, bot_seats, heard, scratch[i], parts, deal, action, is_learners, i)
    elif action != LEAVE:
        fault[0] = i


@cuda.jit
def step_rows(
    batch: Any, learning: Any, events: Any, scratch: Any, deal: Any, actions: Any, is_learners: bool, fault: Any
) -> None:
    """Do one action in every row; one thread has one row. Others choose at random.

    The game's own bot is not compiled: its tables may be larger than the room that a GPU has for constants.
    """
    parts = cuda.local.array(PARTS, int16)
    for i in range(cuda.grid(1), batch.rows.shape[0], cuda.gridsize(1)):
        step_row(batch, learning, None, events, scratch, parts, deal, int(actions[i]), is_learners, fault, i)


@cuda.jit
def step_rows_with_bots(
    batch: Any, learning: Any, events: Any, scratch: Any, deal: Any, actions: Any, is_learners: bool, fault: Any
) -> None:
    """The same, and the game's own bot chooses for the seats that it has."""
    parts = cuda.local.array(PARTS, int16)
    for i in range(cuda.grid(1), batch.rows.shape[0], cuda.gridsize(1)):
        step_row(batch, learning, learning.bot_seats, events, scratch, parts, deal, int(actions[i]), is_learners, fault, i)


@cuda.jit
def exchange_rows(exchange: Any, out: Any) -> None:
    """Every array with traits of cards instead of their names; one thread has one row."""
    for i in range(cuda.grid(1), out.shape[0], cuda.gridsize(1)):
        exchange_names(exchange.named[i], exchange.starts, exchange.targets, exchange.weights, out[i])


@cuda.jit
def show_memories(memory: Any, viewers: Any, seats: int) -> None:
    """The last events that the seat to act has seen, in every row; one thread has one row."""
    for i in range(cuda.grid(1), memory.shown.shape[0], cuda.gridsize(1)):
        show_memory(memory, seats, i, viewers[i], memory.shown[i])


@cuda.jit
def pay_rows(batch: Any, movers: Any, paid: Any, over: Any, equal: float) -> None:
    """Subtract an equal share from every reward, and write the reward of the seat that moved and where a match is over."""
    rewards = batch.rewards
    for i in range(cuda.grid(1), rewards.shape[0], cuda.gridsize(1)):
        over[i] = batch.ended[i] > 0
        for seat in range(rewards.shape[1]):
            rewards[i, seat] -= batch.ended[i] * equal
        paid[i] = rewards[i, movers[i]]
