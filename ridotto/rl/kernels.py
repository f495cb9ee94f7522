"""Kernels for learners on a GPU: views as numbers, masks as one number an action. Loaded into a `cuda` build by `extend`."""

from __future__ import annotations

from typing import Any, Final

from ridotto.engine import build
from ridotto.engine.dice import is_legal
from ridotto.rl.observe import ACTION_COUNT, element

cuda: Final[Any] = build.cuda()

BLOCKS: Final = 132 * 16
THREADS: Final = 256
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
def spread_masks(masks: Any, allowed: Any) -> None:
    """Every mask as one number an action."""
    for i in range(cuda.blockIdx.x, allowed.shape[0], cuda.gridDim.x):
        for action in range(cuda.threadIdx.x, ACTION_COUNT, cuda.blockDim.x):
            allowed[i, action] = 1 if is_legal(masks[i], action) else 0


@cuda.jit
def pay_rows(batch: Any, movers: Any, paid: Any, over: Any) -> None:
    """Subtract the mean from every reward, and write the reward of the seat that moved and where a match is over."""
    rewards = batch.rewards
    equal = 1.0 / rewards.shape[1]
    for i in range(cuda.grid(1), rewards.shape[0], cuda.gridsize(1)):
        over[i] = batch.ended[i] > 0
        for seat in range(rewards.shape[1]):
            rewards[i, seat] -= batch.ended[i] * equal
        paid[i] = rewards[i, movers[i]]
