"""The exponential function, the same on every target: `math.exp` is that of each machine's own library.

It is made of additions and multiplications alone, in a fixed order, and differs from the true value by less than two units in
the last place. Networks and the solver use it, and bots that draw by probabilities.
"""

from __future__ import annotations

from ridotto.engine.build import compiled

LOG2E = 1.4426950408889634
LN2_HIGH = 2977044471 / 4294967296
"""The first 32 bits of the logarithm of 2: a whole number of times this is exact."""
LN2_LOW = 1.9082149292705877e-10
"""The rest of it."""


@compiled
def exp(x: float) -> float:
    """e to the power of x: 0 below -745, infinite above 709.

    >>> exp(0.0), round(exp(1.0), 12), exp(-800.0)
    (1.0, 2.718281828459, 0.0)
    """
    if x != x:
        return x
    x = min(max(x, -800.0), 800.0)
    # A power of 2, and a rest of less than half the logarithm of 2, by its Taylor series.
    power = int(x * LOG2E + (0.5 if x >= 0.0 else -0.5))
    rest = (x - power * LN2_HIGH) - power * LN2_LOW
    total = 1.0 / 6227020800.0
    total = total * rest + 1.0 / 479001600.0
    total = total * rest + 1.0 / 39916800.0
    total = total * rest + 1.0 / 3628800.0
    total = total * rest + 1.0 / 362880.0
    total = total * rest + 1.0 / 40320.0
    total = total * rest + 1.0 / 5040.0
    total = total * rest + 1.0 / 720.0
    total = total * rest + 1.0 / 120.0
    total = total * rest + 1.0 / 24.0
    total = total * rest + 1.0 / 6.0
    total = total * rest + 0.5
    total = 1.0 + (rest + total * rest * rest)
    step = 2.0 if power > 0 else 0.5
    power = abs(power)
    while power > 0:
        if power & 1:
            total *= step
        step *= step
        power >>= 1
    return total
