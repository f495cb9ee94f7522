"""How likely each action is where a bot draws by likelihood, or overlooks actions.

Every action is overlooked with the same chance, by itself, but for one drawn by lot, which is always seen.

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
"""Between the points at which the integral over what is seen is looked at: its error is about e to the power of −10 / STEP."""
TAIL: Final = 40.0
"""How far the points go on where less than e to the power of −TAIL is left."""
LEAST: Final = 1e-30
"""What is less likely than this beside the likeliest action is left out."""


def missed(overlook: float) -> float:
    """How likely an action is overlooked, as dice with so many sides have it."""
    return ceil(overlook * DRAW_PARTS) / DRAW_PARTS


def of_best(count: int, overlook: float) -> list[float]:
    """How likely each of some actions, from best to worst, is the best one seen."""
    lost = missed(overlook)
    return [lost**better * (1 + (count - 1 - better) * (1 - lost)) / count for better in range(count)]


def of_drawn(weights: Sequence[float], overlook: float) -> list[float]:
    """How likely each of some actions is drawn, in proportion to its weight among those seen.

    One over the sum of the weights seen is the integral of exp(−sum · t) over all t above zero, and under the integral the
    actions part: what is seen of each is a factor of its own. Over the logarithm of t, a sum at even steps
    is as good as the integral.
    """
    import numpy

    kept = numpy.maximum(numpy.asarray(weights, "float64") / max(weights), LEAST)
    if not overlook:
        return [float(one) for one in kept / kept.sum()]
    lost, count = missed(overlook), len(kept)
    times = numpy.exp(numpy.arange(-TAIL - log(count), log(TAIL / kept.min()), STEP))[:, None]
    seen = numpy.exp(-kept * times)
    factors = lost + (1 - lost) * seen
    every = factors.prod(axis=1, keepdims=True)
    others = (seen / factors).sum(axis=1, keepdims=True) - seen / factors
    found = kept * times * seen * every / factors * (1 + (1 - lost) * others) / count
    chances = STEP * found.sum(axis=0)
    return [float(one) for one in chances / chances.sum()]
