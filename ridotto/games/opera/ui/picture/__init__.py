"""A view of Opera as panels and items: a panel for each city, the fame ladder, budget and roles, the Palazzo, and the players.

There is a module for each panel, and besides: `facts` of a view, `marks` that several panels have, the `style`, what `changes`
between two views, and the card in the `lobby`. Everything is worked out from the view's own row. At a table with closed screens
other people's ducats and the pieces behind their screens are not drawn. What is drawn is cached by the few numbers that it
shows: after an action most items are the same objects as before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import ridotto.games.opera.ui.picture.budget as budget
import ridotto.games.opera.ui.picture.cities as cities
import ridotto.games.opera.ui.picture.ladder as ladder
import ridotto.games.opera.ui.picture.palazzo as palazzo
import ridotto.games.opera.ui.picture.players as players
import ridotto.games.opera.ui.picture.roles as roles
import ridotto.games.opera.ui.picture.rounds as rounds
import ridotto.games.opera.ui.picture.score as score
from ridotto.core.view import View
from ridotto.engine.fields import Seat
from ridotto.games.opera.ui.picture.changes import moves, traces
from ridotto.games.opera.ui.picture.facts import halls_of
from ridotto.games.opera.ui.picture.lobby import vignette
from ridotto.games.opera.ui.picture.style import STYLE
from ridotto.games.opera.ui.words import Words
from ridotto.present.kit import drawing, panel
from ridotto.present.scene import Item, Layer
from ridotto.present.svg import Panel

__all__ = ["COLUMNS", "STYLE", "board", "moves", "own", "preview", "shared", "vignette"]

COLUMNS: Final[tuple[tuple[str, ...], ...]] = (
    ("rounds", "score", "budget", "palazzo"),
    cities.PANELS[:3],
    cities.PANELS[3:],
    ("ladder", *players.PANELS),
)
"""The panels of a wide picture, column by column."""


def board(view: View, words: Words) -> Mapping[str, str]:
    """The frames, the heads and what is printed: all panels except the cities and the players, whose size may change."""
    nameless = words.nameless()
    return {
        "rounds": rounds.board(),
        "budget": budget.board(nameless),
        "ladder": ladder.board(nameless),
        "palazzo": palazzo.board(nameless, view.seats),
        "score": score.board(nameless, view.seats),
    }


def shared(view: View, words: Words) -> Layer:
    """The picture for everybody: closed screens, and no house larger than the others."""
    nameless, names, halls = words.nameless(), _names(view, words), halls_of(view)
    items = [*rounds.items(view, nameless)]
    if view.is_played_out:
        items += score.items(view, nameless)
    else:
        items += budget.items(view, nameless, names)
        items += roles.items(view, nameless)
    items += ladder.items(view, nameless, halls)
    items += palazzo.items(view, nameless)
    items += cities.shared(view, nameless, halls)
    items += roles.figures(view)
    for seat in range(view.seats):
        items += players.items(view, nameless, names, halls, seat)
    items += traces(view)
    return Layer(_panels(view, nameless, names), items)


def own(view: View, words: Words) -> Layer:
    """The reader's own houses in front and large, their own player, their bid, and what they are asked."""
    assert view.seat is not None
    nameless, names, halls = words.nameless(), _names(view, words), halls_of(view)
    items = cities.own(view, nameless, halls)
    items += players.items(view, nameless, names, halls, view.seat, words.spoken_to(view.seat))
    if view.outcome is None:
        items += budget.bids(view)
        items += budget.prompt(view, words)
        items += ladder.verdicts(view, nameless, halls)
        items += palazzo.payments(view, words)
        items += cities.plots(view)
    return Layer(_panels(view, nameless, names), items)


def preview(view: View, words: Words, action: int) -> Mapping[str, Sequence[Item]]:
    """No previews; the worth of a rearrangement is on the sheet of `page.trial`."""
    return {}


# Panels.


def _names(view: View, words: Words) -> tuple[str, ...]:
    return tuple(words.player(seat) for seat in range(view.seats))


def _panels(view: View, words: Words, names: tuple[str, ...]) -> Sequence[Panel]:
    """The panels, the most important first: the order on a phone, where closed cities come last."""
    return _panels_of(words, names, view.seat, cities.grounds(view), view.is_played_out)


@drawing
def _panels_of(
    words: Words, names: tuple[str, ...], reader: Seat | None, grounds: tuple[cities.Ground, ...], is_over: bool
) -> Sequence[Panel]:
    seats = len(names)
    by_seat = [panel(players.PANELS[seat], name, players.WIDTH, players.height(seats)) for seat, name in enumerate(names)]
    closed_last = sorted(range(6), key=lambda city: -grounds[city].tall)
    return (
        panel("rounds", words.say("Rounds"), rounds.WIDTH, rounds.HEIGHT),
        panel("score", words.say("Result"), budget.WIDTH, budget.HEIGHT)
        if is_over
        else panel("budget", words.say("Budget and roles"), budget.WIDTH, budget.HEIGHT),
        panel("ladder", words.say("Fame and offer"), ladder.WIDTH, ladder.HEIGHT),
        *(one for seat, one in enumerate(by_seat) if seat == reader),
        *(panel(cities.PANELS[city], words.city(city), grounds[city].wide, grounds[city].tall) for city in closed_last),
        panel("palazzo", words.say("Palazzo"), palazzo.WIDTH, palazzo.HEIGHT),
        *(one for seat, one in enumerate(by_seat) if seat != reader),
    )
