"""A masked row as numbers: the compiled side of `ridotto.core.tensors`. Loaded once per game and target."""

from __future__ import annotations

from ridotto.engine.build import compiled
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
    """Encode a masked row as numbers, word by word; only numbers other than 0 are written. See `Encoding`."""
    for at in range(len(out)):
        out[at] = 0.0
    for step in range(len(steps)):
        word = int(masked[steps[step][WORD]])
        at = steps[step][AT]
        if word == HIDDEN:
            if steps[step][HIDDEN_AT] >= 0:
                out[steps[step][HIDDEN_AT]] = 1.0
        elif steps[step][OP] == IS:
            place = places[at + 1 + word]
            if place >= 0:
                out[place] = 1.0
        elif steps[step][OP] == BIT:
            while word != 0:
                if word & 1 and places[at] >= 0:
                    out[places[at]] = 1.0
                word >>= 1
                at += 1
        else:
            out[places[at]] = word * scales[places[at]]
