"""The kit of every picture: a layout that adds up, the shapes of every table, and one cache for what was drawn.

A picture (``ui/picture/`` of a game, a file for each panel) says what lies where as items of a scene. From the kit it has

- `layout`: a `Column` that grows by what it holds, the parts of a `row`, a `Grid`, things in a `fan` or `centred`. They are
  plain numbers, so that a panel has the height of what lies on it, and the same things can be arranged for another width;
- `shapes`: `rect`, `blank`, `path`, `circle`, `halo`, `frame`, `line`, `lines`, `badge`, `token`, `placed`, `mirrored`,
  and `panel`;
- `drawing`: the decorator of every function that draws, instead of caches of a picture's own, and `forget` for tests.
- `foresight`: what a decision that nobody has confirmed would change, by running the rules on a copy of the masked row.

What happened is asked of the view: `View.in_effect` has the events that were not taken back, `View.latest` those of the last
entry of the log.

A panel with two cards in a row, and its height from them:

>>> from ridotto.present.scene import Item, Layer, drawn, scene
>>> @drawing
... def card(name: str) -> str:
...     return "".join([rect(0, 0, 60, 90, "card"), halo(0, 0, 60, 90), *lines(name.split(), 30, 40, 14, 16, cls="oncard")])

>>> def hand(names: list[str]) -> Layer:
...     cards = Grid(across(INNER, 60, gap=8), 60, 90, gap=8, row_gap=8, x=EDGE, y=40)
...     items = [Item(f"card-{at}", "hand", card(name), *cards.place(at)) for at, name in enumerate(names)]
...     tall = 40 + cards.height(len(names)) + EDGE
...     return Layer([panel("hand", "Your hand", WIDE, tall)], [Item("hand-frame", "hand", frame(tall)), *items])

>>> table = scene(hand(["Calaf", "Liù"]))
>>> table.panels["hand"].height, [item.place for item in table.items.values()]
(140, ['', 'translate(10 40)', 'translate(78 40)'])
>>> scene(hand([f"number {number}" for number in range(8)])).panels["hand"].height
238
>>> print(drawn(table, "card-1") or table.items["card-1"].look[:57])
<rect x="0" y="0" width="60" height="90" rx="6" class="ca
"""

from ridotto.present.kit.cache import drawing, forget
from ridotto.present.kit.layout import Column, Grid, Span, across, centred, fan, row
from ridotto.present.kit.shapes import (
    EDGE,
    INNER,
    WIDE,
    badge,
    blank,
    circle,
    frame,
    halo,
    line,
    lines,
    mirrored,
    panel,
    path,
    place,
    placed,
    rect,
    token,
)

__all__ = [
    "EDGE",
    "INNER",
    "WIDE",
    "Column",
    "Grid",
    "Span",
    "across",
    "badge",
    "blank",
    "centred",
    "circle",
    "drawing",
    "fan",
    "forget",
    "frame",
    "halo",
    "line",
    "lines",
    "mirrored",
    "panel",
    "path",
    "place",
    "placed",
    "rect",
    "row",
    "token",
]
