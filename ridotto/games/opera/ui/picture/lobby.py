"""The drawing on the game's card in the lobby."""

from __future__ import annotations

from ridotto.games.opera.ui.picture.marks import medallion
from ridotto.games.opera.ui.words import Words
from ridotto.present.svg import group, tag


def vignette(words: Words) -> tuple[list[str], str]:
    """An opera house whose halls are full of composers."""
    parts = [
        tag("rect", cls="sky", width=720, height=420),
        *(
            tag("circle", cls="gilt", cx=x, cy=y, r=1.8)
            for x, y in ((60, 50), (140, 96), (590, 60), (660, 120), (520, 34), (230, 40))
        ),
        tag("rect", cls="wall", x=40, y=196, width=640, height=190),
        tag("rect", cls="wall", x=214, y=150, width=292, height=236),
        tag("path", cls="seat0 roof", d="M196 152L360 62L524 152Z"),
        tag("circle", cls="hall great", cx=360, cy=120, r=22),
        tag("path", cls="seat0 roof", d="M30 198H212V182H44ZM508 198H690L676 182H508Z"),
    ]
    parts += [tag("rect", cls="column", x=x, y=172, width=14, height=196) for x in (226, 300, 406, 480)]
    for at, (x, number) in enumerate(((360, 2), (92, 0), (164, 1), (556, 3), (628, 4))):
        great = at == 0
        wide, top = (72, 204) if great else (58, 250)
        curve = f"M{x - wide / 2:g} 372V{top}A{wide / 2:g} {wide / 2:g} 0 0 1 {x + wide / 2:g} {top}V372Z"
        parts.append(tag("path", cls="hall great" if great else "hall", d=curve))
        parts.append(group([medallion(number, 62 if great else 48)], at=(x, 282 if great else 306)))
    for x, number in ((268, 5), (452, 4)):
        parts.append(tag("path", cls="hall", d=f"M{x - 22} 372V264A22 22 0 0 1 {x + 22} 264V372Z"))
        parts.append(group([medallion(number, 38)], at=(x, 310)))
    parts += [
        tag("rect", cls="wall", x=20, y=384, width=680, height=12),
        tag("rect", cls="wall", x=0, y=396, width=720, height=24),
    ]
    return parts, "0 44 720 360"
