"""The styles of the picture of Turandot."""

from __future__ import annotations

from typing import Final

STYLE: Final = """
.drape { fill: $curtain; }
.fold { fill: $shade; fill-opacity: 0.28; }
.fringe { fill: none; stroke: #e6c274; stroke-width: 2.5; stroke-dasharray: 1.5 2; }
.rule { stroke: $brass; stroke-width: 1; }
.gold { fill: $gilt; } .goldline { fill: none; stroke: $gilt; stroke-width: 1.5; }
.plate { fill: $wood; } .room { fill: $velvet; }
.pit { fill: $velvet; fill-opacity: 0.7; stroke: $brass; stroke-opacity: 0.45; }
.beam { fill: $glow; fill-opacity: 0.1; }
.lit { fill: $ink; } .litline { fill: none; stroke: $ink; stroke-width: 1.8; stroke-linecap: round; }
.dim { opacity: 0.5; }
.bold { font-weight: 700; }
.strong { stroke: $gilt; stroke-width: 2.5; }
.back { fill: $curtain; stroke: #e6c274; }
.coin { fill: $gilt; stroke: $velvet; stroke-width: 0.8; } .oncoin { fill: $velvet; }
.spent { fill: none; stroke: $brass; stroke-dasharray: 2 2; }
.cloth { fill: $rose; stroke: $velvet; stroke-width: 0.8; }
.pen { fill: $pen; } .penline { fill: none; stroke: $pen; stroke-width: 1.8; stroke-linecap: round; }
.blood { fill: #b3261e; }
.capsule { fill: $velvet; fill-opacity: 0.55; stroke: $brass; stroke-opacity: 0.6; }
.here { fill: none; stroke: $glow; stroke-width: 2; }
.gone { stroke: $bad; stroke-width: 2; }
.clash { fill: none; stroke: $bad; stroke-width: 2.5; }
.glory { fill: none; stroke: $glow; stroke-width: 2.5; }
.hint { fill: none; stroke: none; }
.cat0 { fill: #23395d; } .cat1 { fill: #4d6a2c; } .cat2 { fill: #85541c; }
.cat3 { fill: #682a76; } .cat4 { fill: #a83c24; } .cat5 { fill: #2b2733; }
.ivory { fill: #f6e7cd; } .ivoryline { fill: none; stroke: #f6e7cd; stroke-width: 1.6; stroke-linecap: round; }
.night { fill: #1a0e16; } .nightline { fill: none; stroke: #1a0e16; stroke-width: 1.5; stroke-linecap: round; }
.gleam { fill: #e6c274; } .gleamline { fill: none; stroke: #e6c274; stroke-width: 1.4; }
.ray { fill: #e6c274; fill-opacity: 0.34; }
.robe { fill: #f6e7cd; fill-opacity: 0.3; }
"""
"""The classes of this game's picture. What is printed on a card keeps its colours in either theme."""
