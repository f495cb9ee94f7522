"""The tools of rules besides the row: dice to draw from, a list to write events to, sets of bits.

Dice are a few integers handed in by the caller. As a *generator* they are Chris Doty-Humphrey's sfc32, in ordinary
integers so that every target agrees. As a *tape* they give recorded outcomes; at the end of the tape they record how many
outcomes the missing draw has, which makes it a chance node.
"""

from __future__ import annotations

from ridotto.engine.build import compiled
from ridotto.engine.fields import EVENT_ROOM, EVENT_WIDTH, Dice, Events, Mask

LOW32 = 0xFFFFFFFF


# The words of a generator: 0, a, b, c, counter. The words of a tape: 1, position, length, missing, outcomes …


@compiled
def draw(dice: Dice, n: int) -> int:
    """One of `n` outcomes, 0 to n - 1, each with the same probability."""
    if dice[0] == 0:
        return (next_bits(dice) * n) >> 32
    if dice[3] != 0:
        # A draw was missing or wrong before: continue with the first outcome.
        return 0
    at = dice[1]
    if at >= dice[2]:
        # The tape has ended: record how many outcomes this draw has.
        dice[3] = n
        return 0
    dice[1] = at + 1
    outcome = dice[4 + at]
    if outcome < 0 or outcome >= n:
        # The recorded outcome is impossible: record that as a negative number.
        dice[3] = -n
        return 0
    return outcome


@compiled
def next_bits(dice: Dice) -> int:
    """The generator's next 32 bits."""
    a = dice[1]
    b = dice[2]
    c = dice[3]
    result = (a + b + dice[4]) & LOW32
    dice[4] = (dice[4] + 1) & LOW32
    dice[1] = b ^ (b >> 9)
    dice[2] = (c + (c << 3)) & LOW32
    dice[3] = (((c << 21) | (c >> 11)) + result) & LOW32
    return result


@compiled
def start(dice: Dice, seed: int, seed_high: int, stream: int, stream_high: int) -> None:
    """Start the generator for a seed and a stream; different streams of one seed are independent."""
    dice[0] = 0
    dice[1] = seed
    dice[2] = (seed_high ^ (stream_high * 0x9E3779B1)) & LOW32
    dice[3] = stream
    dice[4] = 1
    for _ in range(12):
        next_bits(dice)


@compiled
def emit(events: Events, code: int, a: int = 0, b: int = 0, c: int = 0, d: int = 0, e: int = 0) -> None:
    """Append an event to the list, unless the list is muted or full."""
    n = events[0]
    if n >= 0 and n < EVENT_ROOM:
        at = 1 + n * EVENT_WIDTH
        events[at] = code
        events[at + 1] = a
        events[at + 2] = b
        events[at + 3] = c
        events[at + 4] = d
        events[at + 5] = e
        events[0] = n + 1


@compiled
def ones(bits: int) -> int:
    """The number of bits set, out of 32."""
    bits = bits - ((bits >> 1) & 0x55555555)
    bits = (bits & 0x33333333) + ((bits >> 2) & 0x33333333)
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F
    return ((bits * 0x01010101) & LOW32) >> 24


@compiled
def nth(bits: int, n: int) -> int:
    """The position of the n-th set bit, counted from 0."""
    for _ in range(n):
        bits &= bits - 1
    return ones((bits & -bits) - 1)


@compiled
def lowest(bits: int) -> int:
    """The position of the lowest set bit."""
    return ones((bits & -bits) - 1)


@compiled
def draw_from(dice: Dice, bits: int) -> int:
    """The position of a random set bit, each with the same probability."""
    return nth(bits, draw(dice, ones(bits)))


@compiled
def allow(mask: Mask, first: int, bits: int) -> None:
    """Make the actions first, first + 1, … legal where `bits` has a one (up to 32 of them)."""
    word = first >> 5
    shift = first & 31
    low = bits << shift
    mask[word] |= low & LOW32
    if low >> 32:
        mask[word + 1] |= low >> 32


@compiled
def clear(mask: Mask) -> None:
    """Make no action legal."""
    for word in range(len(mask)):
        mask[word] = 0


@compiled
def is_legal(mask: Mask, action: int) -> bool:
    """Whether the mask allows an action."""
    return mask[action >> 5] >> (action & 31) & 1 != 0


@compiled
def count_legal(mask: Mask) -> int:
    """The number of actions the mask allows."""
    total = 0
    for word in range(len(mask)):
        if mask[word] != 0:
            total += ones(mask[word] & LOW32)
    return total


@compiled
def nth_legal(mask: Mask, n: int) -> int:
    """The n-th legal action, counted from 0, in ascending order."""
    for word in range(len(mask)):
        bits = mask[word] & LOW32
        if bits != 0:
            here = ones(bits)
            if n < here:
                return (word << 5) + nth(bits, n)
            n -= here
    return -1
