"""The legend: the marks on a board, drawn as they are there, and what each of them means."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from ridotto.core.game import Game
from ridotto.present.html import Html, el, seat_badge
from ridotto.present.narrator import Narrator
from ridotto.present.protocols import Sign
from ridotto.present.stage import drawing
from ridotto.present.svg import Svg, group, seat_mark, tag
from ridotto.present.ui import ui

ANCHOR: Final = "s-marks"
"""The anchor of the legend on the page of the rules."""
PIECE: Final = seat_mark(0, 0, 0, 24)
HALO: Final = tag("rect", cls="halo", x=-19, y=-19, width=38, height=38, rx=7)


class Line(NamedTuple):
    """A mark, and what it means."""

    drawn: Html
    text: str


def at_every_table(narrator: Narrator) -> Iterator[Line]:
    """The marks that do not depend on a game."""
    say = narrator.say
    signs = (
        Sign(group([HALO, PIECE], cls="can"), say("You can choose this now.")),
        Sign(group([HALO, PIECE], cls="can chosen"), say("You have chosen this. Nothing is sent until you confirm.")),
        Sign(group([PIECE], cls="moved"), say("It was moved or laid since your last turn.")),
        Sign(tag("path", cls="trace", d="M-20 12Q0-24 20 12"), say("A dashed line: what the last move did.")),
        Sign(group([HALO, PIECE], cls="can advised advised-1"), say("The hint's first choice; the others are dashed.")),
        Sign(group([HALO, PIECE], cls="can nearest"), say("The closest you can do to what you pointed at.")),
    )
    yield from map(_line, signs)
    yield Line(el("span", seat_badge(1), cls="person owing"), say("Has to decide now."))
    yield Line(el("span", el("span", "1", cls="score leads"), cls="person"), say("Is in the lead."))


def _line(sign: Sign) -> Line:
    return Line(drawing(str(Svg(sign.look)), sign.box, "mark"), sign.text)


def legend(game: Game, language: str) -> tuple[list[Line], list[Line]]:
    """The marks of every table, and those of a game."""
    words = ui(game).words(ui(game).narrator(language))
    return list(at_every_table(words.narrator)), [_line(sign) for sign in ui(game).page.legend(words)]
