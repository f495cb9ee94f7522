"""The classes of the picture: figures have the colours of the printed pawns in both themes.

An item's state, such as cleared, active or picked, is a class of its own: its look stays the same.
"""

from __future__ import annotations

from typing import Final

STYLE: Final = """
.sky { fill: $velvet; } .star { fill: $gilt; fill-opacity: 0.55; } .moon { fill: $gilt; fill-opacity: 0.5; }
.wall { fill: $wood; stroke: $brass; stroke-width: 1.5; } .chamber { fill: $plush; stroke: $brass; stroke-width: 1; }
.dome { fill: $wood; stroke: $gilt; stroke-width: 2; } .night { fill: $shade; fill-opacity: 0.94; }
.warm { stop-color: $glow; stop-opacity: 0.34; } .cool { stop-color: $glow; stop-opacity: 0; }
.line { fill: none; stroke: $brass; stroke-width: 1.6; stroke-opacity: 0.75; stroke-linecap: round; stroke-linejoin: round; }
.cloth { fill: $curtain; fill-opacity: 0.62; } .leaf { fill: $gilt; fill-opacity: 0.24; }
.deep { fill: $brass; fill-opacity: 0.2; } .number { fill: $gilt; } .onnumber { fill: $plush; font-weight: 700; }
.unlit .name { fill: $paper; }
.door { fill: $glow; fill-opacity: 0.38; stroke: $gilt; stroke-width: 2.5; stroke-linejoin: round; }
.gilded { fill: none; stroke: $gilt; stroke-width: 2.5; stroke-linecap: round; stroke-linejoin: round; }
.shut .door { fill: $shade; fill-opacity: 1; stroke: $bad; stroke-linejoin: miter; } .iron { fill: $bad; }
.shackle { fill: none; stroke: $bad; stroke-width: 4; } .hole { fill: $velvet; }
.pipe { fill: none; stroke: $rose; stroke-width: 9; stroke-linejoin: round; }
.bore { fill: none; stroke: $plush; stroke-width: 4; stroke-linejoin: round; } .astir .bore { stroke: $glow; }
.around { fill: none; stroke: $wood; stroke-width: 14; } .mouth { fill: $rose; }
.pawn { stroke: $ink; stroke-width: 1.6; stroke-linejoin: round; } .unlit .pawn { stroke: $paper; }
.onpaper .pawn { stroke: $pen; } .pawn.christine { stroke: #d9cdd5; } .raoul { fill: #b3202c; } .meg { fill: #f3a6c0; }
.giry { fill: #1f5fae; } .buquet { fill: #959ba3; } .christine { fill: #19151c; } .moncharmin { fill: #f7f3ec; }
.richard { fill: #5f2d8c; } .persan { fill: #7a4a21; }
.cleared .pawn { fill: $ash; fill-opacity: 0.3; stroke: $ash; } .unlit .cleared .pawn { stroke: $paper; }
.onpaper .cleared .pawn { fill: $pen; fill-opacity: 0.12; stroke: $pen; stroke-opacity: 0.6; }
.veil { fill: $plush; } .onpaper .veil { fill: $paper; } .unlit .veil { fill: $shade; } .tick { fill: $good; }
.veil, .tick { display: none; } .cleared .veil, .cleared .tick { display: inline; }
.ondark { fill: #ffffff; font-weight: 700; } .onlight { fill: #1c1216; font-weight: 700; }
.cleared text { fill: $ink; } .unlit .cleared text { fill: $paper; } .onpaper .cleared text { fill: $pen; }
.check { fill: none; stroke: $velvet; stroke-width: 2.6; stroke-linecap: round; stroke-linejoin: round; }
.spot { fill: $glow; fill-opacity: 0.4; } .point { fill: $glow; } .sign { fill: $gilt; }
.cue, .aim { display: none; } .active .cue, .eligible .aim { display: inline; }
.eyed { fill: none; stroke: $ash; stroke-width: 2; } .pupil { fill: $ash; } .unlit .eyed { stroke: $paper; }
.unlit .sign { fill: $paper; } .ring { fill: none; stroke: $gilt; stroke-width: 2.6; }
.handle { stroke: $gilt; stroke-width: 5; } .carpet { fill: $curtain; }
.start { fill: $wood; stroke: $gilt; stroke-width: 1; } .step { fill: $plush; stroke: $brass; stroke-width: 1; }
.stud { fill: $brass; } .here { fill: $paper; stroke: $glow; stroke-width: 3; } .onhere { fill: $pen; font-weight: 700; }
.exit { fill: $shade; stroke: $gilt; stroke-width: 2; } .onexit { fill: $paper; }
.gown { fill: $seat4; stroke: $ink; stroke-width: 1.6; stroke-linejoin: round; }
.plume { fill: $rose; stroke: $ink; stroke-width: 1.2; }
.turn { fill: $wood; stroke: $brass; stroke-width: 1; }
.now .turn { fill: $glow; fill-opacity: 0.16; stroke: $glow; stroke-width: 2; }
.strong { font-weight: 700; } .lamp { fill: $gilt; }
.sheet { fill: $wood; stroke: $brass; } .onpaper .sheet { fill: $paper; }
.picked .sheet { stroke: $glow; stroke-width: 4; } .print { fill: $ash; } .onpaper .print { fill: $pen; }
.when { display: none; } .onpaper .when { display: inline; } .asked .when, .asked .section, .covered .power { display: none; }
.pictogram { fill: none; stroke: $pen; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; }
.must { fill: none; stroke: $pen; stroke-width: 1.6; }
.may { fill: none; stroke: $pen; stroke-width: 1.4; stroke-dasharray: 3 2.4; } .press { fill: $pen; }
.onpress { fill: $paper; font-weight: 600; } .can .press { fill: $curtain; }
.back { fill: $curtain; stroke: $gilt; stroke-width: 1.2; }
.onback { fill: none; stroke: $paper; stroke-width: 1.2; stroke-opacity: 0.7; } .sealed .sign { fill: $paper; }
.verdict { fill: $wood; stroke: $brass; stroke-width: 1; } .rule { stroke: $brass; stroke-width: 1.5; }
.hood { fill: $wood; stroke: $brass; stroke-width: 1.2; }
.hush { fill: $velvet; stroke: $brass; stroke-width: 1; stroke-dasharray: 2 3; } .boards { fill: $brass; fill-opacity: 0.5; }
.coin { fill: $paper; stroke: $pen; stroke-width: 1.2; } .arrows { fill: none; stroke: $pen; stroke-width: 2.4; }
.coin, .arrows { display: none; } .can > .coin, .can > .arrows { display: inline; }
.onpaper .sign { fill: $pen; } .can.unlit .halo { fill-opacity: 0.04; }
"""
