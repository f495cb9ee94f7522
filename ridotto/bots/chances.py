"""The probabilities of actions for a bot that draws among them, or overlooks some.

Every action is overlooked independently with the same probability, except for a random one, which is always seen.

>>> [round(chance, 4) for chance in of_best(3, 0.5)]
[0.6667, 0.25, 0.0833]
>>> [round(chance, 4) for chance in of_drawn([3.0, 1.0], 0.0)], [round(chance, 4) for chance in of_drawn([3.0, 1.0], 1.0)]
([0.75, 0.25], [0.5, 0.5])
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, log
from typing import Final

from ridotto.bots.search import DRAW_PARTS

STEP: Final = 0.2
"""The distance between the points of the integral: its error is about e to the power of −10 / STEP."""
TAIL: Final = 40.0
"""The integral ends where less than e to the power of −TAIL is left."""
LEAST: Final = 1e-30
"""The least weight of an action, relative to the likeliest one."""


def overlook_rate(overlook: float) -> float:
    """The probability of overlooking an action, in the resolution of the dice."""
    return ceil(overlook * DRAW_PARTS) / DRAW_PARTS


def of_best(count: int, overlook: float) -> list[float]:
    """For each action, from best to worst, the probability that it is the best one seen."""
    lost = overlook_rate(overlook)
    return [lost**better * (1 + (count - 1 - better) * (1 - lost)) / count for better in range(count)]


def of_drawn(weights: Sequence[float], overlook: float) -> list[float]:
    """For each action, the probability of drawing it in proportion to its weight among those seen.

    One over the sum of the weights seen is the integral of exp(−sum · t) over all t above zero, and under the integral the
    actions part: what is seen of each is a factor of its own. Over the logarithm of t, a sum at even steps
    is as good as the integral.
    """
    import numpy

    relative = numpy.maximum(numpy.asarray(weights, "float64") / max(weights), LEAST)
    if not overlook:
        return [float(one) for one in relative / relative.sum()]
    lost, count = overlook_rate(overlook), len(relative)
    times = numpy.exp(numpy.arange(-TAIL - log(count), log(TAIL / relative.min()), STEP))[:, None]
    seen = numpy.exp(-relative * times)
    factors = lost + (1 - lost) * seen
    every = factors.prod(axis=1, keepdims=True)
    others = (seen / factors).sum(axis=1, keepdims=True) - seen / factors
    integrand = relative * times * seen * every / factors * (1 + (1 - lost) * others) / count
    chances = STEP * integrand.sum(axis=0)
    return [float(one) for one in chances / chances.sum()]
