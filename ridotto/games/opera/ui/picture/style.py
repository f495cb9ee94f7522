"""The classes of Opera's drawing, beside those of every drawing in `ridotto.present.svg`."""

from __future__ import annotations

from typing import Final

STYLE: Final = """
.bold { font-weight: 700; }
.gilt { fill: $gilt; }
.dim { opacity: 0.45; } .faint { opacity: 0.6; } .ghost { opacity: 0.5; }
.rule { fill: none; stroke: $brass; stroke-width: 1; }
.turn, .playing .spotlight { fill: none; stroke: $gilt; stroke-width: 3; }
.spotlight { fill: none; } .taken .face { opacity: 0.45; }
.cloth { fill: $curtain; } .oncloth { fill: #fbe6bd; }
.hem { fill: none; stroke: $gilt; stroke-width: 1.2; stroke-opacity: 0.7; }
.drape { fill: $curtain; } .fold { fill: $shade; fill-opacity: 0.28; }
.composer0 { fill: #f0913a; } .composer1 { fill: #a3203a; } .composer2 { fill: #f3d24e; }
.composer3 { fill: #22529c; } .composer4 { fill: #1f6b3c; } .composer5 { fill: #63348c; }
.rim { fill: none; stroke: $gilt; stroke-width: 1.5; }
.groove { fill: none; stroke: #fff6e6; stroke-opacity: 0.55; stroke-width: 1; }
.monogram { font-weight: 700; fill: #fff6e6; } .dark { fill: #2a1720; }
.outlined { stroke: #2a1720; stroke-width: 0.8; }
.coin { fill: $gilt; stroke: $brass; stroke-width: 1; }
.oncoin { fill: $velvet; font-weight: 700; } .lit { fill: $velvet; }
.street { fill: $wood; fill-opacity: 0.28; } .own { fill: none; stroke: $gilt; stroke-width: 1.5; stroke-opacity: 0.8; }
.wall { fill: $wood; stroke: $brass; stroke-width: 1; }
.roof { stroke: $brass; stroke-width: 0.8; }
.column { fill: $curtain; stroke: $gilt; stroke-width: 0.6; }
.hall { fill: #1c0e17; stroke: $brass; stroke-width: 1; } .cost { fill: #ffb7a6; }
.great { stroke: $gilt; stroke-width: 1.5; }
.lot { fill: none; stroke: $brass; stroke-width: 1; stroke-dasharray: 3 3; stroke-opacity: 0.75; }
.sky { fill: $brass; fill-opacity: 0.2; } .night .sky { fill-opacity: 0.42; }
.place { fill: $shade; fill-opacity: 0.35; stroke: $brass; stroke-width: 1; }
.figure0 { fill: #2c7a4b; stroke: $gilt; } .figure1 { fill: #17131a; stroke: $gilt; }
.figure2 { fill: #5d2f86; stroke: $gilt; } .onfigure { fill: #fff3e0; font-weight: 700; }
.portrait { fill: $curtain; } .features { fill: $paper; fill-opacity: 0.9; }
.lamp { fill: #ffdf8a; fill-opacity: 0.34; } .robe { fill: #3a2230; } .hair { fill: #2a1720; } .gray { fill: #b9aeb2; }
.strokes { fill: none; stroke: #2a1720; stroke-width: 1.1; stroke-linecap: round; }
.shadow { fill: none; stroke: #1c0e17; stroke-width: 4; stroke-linejoin: round; stroke-linecap: round; }
.prop { fill: none; stroke: #f0cd82; stroke-width: 1.6; stroke-linejoin: round; } .filled { fill: #1c0e17; }
.screen { fill: $curtain; stroke: $gilt; stroke-width: 1; }
.level { fill: $wood; fill-opacity: 0.55; } .even { fill-opacity: 0.95; }
.between { stroke: $brass; stroke-opacity: 0.4; stroke-width: 1; }
.cross { fill: none; stroke: $velvet; stroke-width: 2.5; }
.disc { fill: #1c0e17; stroke: #d8c9bb; stroke-width: 2; }
.ondisc { fill: none; stroke: #fff3e0; stroke-width: 2; }
.ghost { fill: none; stroke: $glow; stroke-width: 2; stroke-dasharray: 4 3; }
.back { fill: $curtain; stroke: $brass; }
.can .inside .halo { fill: none; stroke: none; }
"""
