"""A masked row as numbers: the compiled side of `ridotto.core.tensors`. Loaded once per game and target."""

from __future__ import annotations

from ridotto.engine.build import compiled
from ridotto.engine.dice import lowest
from ridotto.engine.fields import HIDDEN, Row

IS, BIT, NUMBER = 0, 1, 2
"""The kinds of an element of a tensor: a word has a certain value, a word has a certain bit, a word's size."""
WORD, OP, AT, HIDDEN_AT = 0, 1, 2, 3
"""The lines of `Encoding.steps`: the place of the word, the kind of its elements, the start of its line in `places` (of a
number its element), and the element that says it is hidden (-1: it never is)."""


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
    words, ops, starts, marks = steps[WORD], steps[OP], steps[AT], steps[HIDDEN_AT]
    for at in range(len(out)):
        out[at] = 0.0
    step = 0
    while step < len(words) and ops[step] == IS:
        word = int(masked[words[step]])
        place = marks[step] if word == HIDDEN else places[starts[step] + 1 + word]
        if place >= 0:
            out[place] = 1.0
        step += 1
    while step < len(words) and ops[step] == BIT:
        word = int(masked[words[step]])
        if word == HIDDEN:
            if marks[step] >= 0:
                out[marks[step]] = 1.0
            word = 0
        while word != 0:
            place = places[starts[step] + lowest(word)]
            if place >= 0:
                out[place] = 1.0
            word &= word - 1
        step += 1
    while step < len(words) and marks[step] >= 0:
        word = int(masked[words[step]])
        if word != HIDDEN:
            out[starts[step]] = word * scales[starts[step]]
        else:
            out[marks[step]] = 1.0
        step += 1
    for number in range(step, len(words)):
        out[starts[number]] = masked[words[number]] * scales[starts[number]]
