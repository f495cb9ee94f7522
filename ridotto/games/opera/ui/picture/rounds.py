"""The track of rounds, with the Composers of the Century behind the rounds that end with a count."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ridotto.core.view import View
from ridotto.games.opera.rules import F
from ridotto.games.opera.ui.messages import COUNTED
from ridotto.games.opera.ui.picture.marks import EDGE, FACT, medallion
from ridotto.games.opera.ui.sketch import ROMAN
from ridotto.games.opera.ui.words import Words
from ridotto.present.kit import drawing, frame
from ridotto.present.scene import Item
from ridotto.present.svg import shape, tag, write

WIDTH: Final = 606
HEIGHT: Final = 66
MEDAL: Final = 58
"""The width of a Composer of the Century on the track."""
INNER: Final = WIDTH - 2 * EDGE


def board() -> str:
    """The track without its rounds."""
    return frame(HEIGHT, WIDTH)


def items(view: View, words: Words) -> Sequence[Item]:
    """The rounds, the one being played, and the Composers of the Century."""
    row = view.row
    return _track(words, row[F.seven_rounds], row[F.round], row[F.counts], row[F.century : F.century + 3], view.is_played_out)


@drawing
def _track(words: Words, seven: int, number: int, counts: int, century: tuple[int, ...], is_over: bool) -> Sequence[Item]:
    counted = COUNTED[seven]
    last = counted[-1]
    wide = (INNER - 3 * MEDAL) / last
    x = float(EDGE)
    track = []
    for one in range(1, last + 1):
        if one == number and not is_over:
            title = words.say("round {number} of {rounds}", number=number, rounds=last)
            track.append(Item(f"round-{one}", "rounds"))
            track.append(Item("round", "rounds", box(one, wide, True), x, 12, title=title))
        else:
            cls = "dim" if one < number or is_over else ""
            track.append(Item(f"round-{one}", "rounds", box(one, wide, False), x, 12, cls=cls))
        x += wide
        if one in counted:
            count = counted.index(one)
            look, title = medal(century[count], count + 1), century_title(words, century[count], count + 1)
            cls = "dim" if count < counts else ""
            track.append(Item(f"century-{count + 1}", "rounds", look, x + MEDAL // 2, 27, 1, cls, title))
            x += MEDAL
    return track


def century_title(words: Words, composer: int, points: int) -> str:
    """A Composer of the Century in words."""
    return words.say("Composer of the Century: {composer}, +{points}", composer=words.composer(composer), points=points)


@drawing
def box(number: int, wide: float, is_now: bool) -> str:
    """A round of the track."""
    back = tag("rect", cls="coin" if is_now else "raised", x=1.5, width=wide - 3, height=42, rx=5)
    return back + write(ROMAN[number - 1], wide / 2, 29, 20, cls="lit name bold" if is_now else "name")


@drawing
def medal(composer: int, points: int) -> str:
    """A Composer of the Century, with the points it brings."""
    return shape(-4, 0, 0, 46, cls="raised") + medallion(composer, 38) + write(f"+{points}", 0, 37, FACT, cls="gilt bold")
