"""Boards as files: the parts of a table's picture that do not change during a match, which browsers keep.

A page shows a panel of such a file by a `use` element. The file has the styles of the drawing in it, with the colours as
variables, which it gets from the page.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from hashlib import sha256
from typing import Final, NamedTuple

from ridotto.core import position
from ridotto.core.errors import BadSetup
from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.core.view import View
from ridotto.present.scene import look_id
from ridotto.present.svg import Svg, tag
from ridotto.present.ui import ui
from ridotto.present.words import Words
from ridotto.web.pages import home
from ridotto.web.pages.assets import drawing_css

NUMBER: Final = re.compile(r"(?:(?<=-)-)?[0-9]{1,3}")
"""A number in the address of a board; the first has no sign."""


class Board(NamedTuple):
    """The file of a board: its address, which changes with its text, and its text."""

    address: str
    text: str
    looks: frozenset[str]
    """The names of the looks in it, which need not be sent."""


def board_of(game: Game, view: View, words: Words) -> Board:
    """The board of a match."""
    options = tuple(position.options_of(game, view.row).values())
    return board(game, words.narrator.language, view.seats, options)


@lru_cache(1000)
def board(game: Game, language: str, seats: int, options: tuple[int, ...]) -> Board:
    """The board of all matches with these options, by the panels that it has."""
    chosen = dict(zip(game.settle(), options, strict=True))
    view = Match(game, seats, chosen, seed=0).view()
    words = ui(game).words(ui(game).narrator(language))
    panels = (tag("g", Svg(body), id=name) for name, body in ui(game).board(view, words).items())
    looks = {look_id(look): look for look in ui(game).looks(words)}
    stock = (tag("g", Svg(look), data_look=name) for name, look in looks.items())
    text = tag("svg", tag("style", Svg(_style(game))), *panels, tag("defs", *stock), xmlns="http://www.w3.org/2000/svg")
    if tab := home.tab():
        return Board(tab.hold(text, "image/svg+xml"), text, frozenset(looks))
    digest = sha256(text.encode()).hexdigest()[:10]
    address = f"/boards/{game.name}/{language}/{'-'.join(map(str, (seats, *options)))}.svg?{digest}"
    return Board(address, text, frozenset(looks))


def find_board(game: Game, language: str, setup: str) -> Board | None:
    """The board with an address such as `4-0-1`: the number of seats and the options. None if there is no such match."""
    numbers = NUMBER.findall(setup)
    if "-".join(numbers) != setup or len(numbers) != 1 + len(game.settle()):
        return None
    seats, *options = map(int, numbers)
    try:
        return board(game, language, game.seat_count(seats), tuple(options))
    except BadSetup:
        return None


@cache
def _style(game: Game) -> str:
    return drawing_css(game)
