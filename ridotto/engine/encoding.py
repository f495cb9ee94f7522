"""A masked row as numbers: the compiled side of `ridotto.core.tensors`. Loaded once per game and target."""

from __future__ import annotations

from ridotto.engine.build import compiled
from ridotto.engine.dice import lowest
from ridotto.engine.fields import HIDDEN, Row

IS, BIT, NUMBER = 0, 1, 2
"""What an element of a tensor says about a word: that it has a value, that it has a bit, or how large it is."""
WORD, OP, AT, HIDDEN_AT = 0, 1, 2, 3
"""The columns of `Encoding.steps`: the place of the word, the kind of its elements, the start of its line in `places`, and the
element that says it is hidden (-1: it never is)."""


@compiled
def element(word: int, op: int, argument: int, scale: float) -> float:
    """One element of a tensor, where each element is computed on its own; a hidden word has no bits and no size."""
    if op == IS:
        return 1.0 if word == argument else 0.0
    if word == HIDDEN:
        return 0.0
    if op == BIT:
        return 1.0 if word >> argument & 1 else 0.0
    return word * scale


@compiled
def encode(masked: Row, steps: list[Row], places: Row, scales: list[float], out: list[float]) -> None:
    """Encode a masked row as numbers, word by word, sets and numbers last; only what is not 0 is written. See `Encoding`."""
    for at in range(len(out)):
        out[at] = 0.0
    step = 0
    while step < len(steps) and steps[step][OP] == IS:
        word = int(masked[steps[step][WORD]])
        place = steps[step][HIDDEN_AT] if word == HIDDEN else places[steps[step][AT] + 1 + word]
        if place >= 0:
            out[place] = 1.0
        step += 1
    while step < len(steps) and steps[step][OP] == BIT:
        word = int(masked[steps[step][WORD]])
        if word == HIDDEN:
            if steps[step][HIDDEN_AT] >= 0:
                out[steps[step][HIDDEN_AT]] = 1.0
            word = 0
        while word != 0:
            place = places[steps[step][AT] + lowest(word)]
            if place >= 0:
                out[place] = 1.0
            word &= word - 1
        step += 1
    while step < len(steps):
        word = int(masked[steps[step][WORD]])
        place = places[steps[step][AT]]
        if word != HIDDEN:
            out[place] = word * scales[place]
        elif steps[step][HIDDEN_AT] >= 0:
            out[steps[step][HIDDEN_AT]] = 1.0
        step += 1
